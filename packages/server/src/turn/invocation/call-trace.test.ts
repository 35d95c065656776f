// The events of an invocation's span, and the fields of its attempts, as a walk over the ladder makes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '#config/config.ts'
import { answering, failure, say, START } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { begin, finish } from '#fixtures/turns/walk.ts'

/** Such a model gets the shown text as its own beginning, and continues it. */
const JOINING = { facts: SAMPLE_FACTS }

type Run = Awaited<ReturnType<typeof finish>>

const eventsOf = ({ telemetry }: Pick<Run, 'telemetry'>) =>
  telemetry.spans
    .filter(({ name }) => name === 'invocation')
    .flatMap(({ events }) => events.map(({ attributes, name }) => [name, attributes] as const))
const namesOf = (run: Pick<Run, 'telemetry'>) => eventsOf(run).map(([name, { model }]) => `${name} ${model}`)
const attemptsOf = ({ telemetry }: Pick<Run, 'telemetry'>) =>
  telemetry.spans
    .filter(({ name }) => name === 'attempt')
    .map(({ attributes, outcome }): Readonly<Record<string, unknown>> => ({ ...attributes, outcome }))
const configured = (telemetry: Partial<Config['telemetry']>) => ({
  over: { config: { ...testConfig, telemetry: { ...testConfig.telemetry, ...telemetry } } },
})

test('permits, retries and the next model are events in their order', async () => {
  const run = await finish([[failure('unavailable')], answering('b')])
  assert.deepEqual(namesOf(run), [
    'lane.permit-granted model-1',
    'model.retry-granted model-1',
    'model.retry-refused model-1',
    'lane.permit-granted model-2',
  ])
  const [, [, granted], [, refused]] = eventsOf(run) as [Event, Event, Event]
  assert.equal(granted['errorClass'], 'unavailable')
  assert.ok(Number(granted['delayMs']) > 0)
  // Another model is free, and the pauses would be too long in sum.
  assert.equal(refused['reason'], 'deadline')
})

type Event = ReturnType<typeof eventsOf>[number]

test('an attempt says what was asked, what it used and how it ended', async () => {
  const run = await finish([[failure('throttled')], answering('b')], { maxOutputTokens: 300 })
  const attempts = attemptsOf(run)
  const failed = attempts[0]
  const answered = attempts.at(-1)
  assert.deepEqual(
    [failed?.['errorClass'], failed?.['stopReason'], failed?.['outcome'], failed?.['maxOutputTokens']],
    ['throttled', 'error', 'failed', 300],
  )
  assert.deepEqual(
    [answered?.['stopReason'], answered?.['callOutcome'], answered?.['outcome'], answered?.['errorClass']],
    ['end', 'end', 'completed', undefined],
  )
  assert.deepEqual([answered?.['inputTokens'], answered?.['isEstimated']], [20, false])
})

test('a forced-open lane is seen once, and refuses', async () => {
  const run = await finish([answering('a'), answering('b')], {
    before: async ({ lanes }) => lanes.operate('model-1', 'force-open', 'aki'),
  })
  assert.deepEqual(namesOf(run), [
    'lane.circuit-seen model-1',
    'lane.permit-refused model-1',
    'lane.permit-granted model-2',
  ])
  const [[, seen], [, refused]] = eventsOf(run) as [Event, Event]
  assert.deepEqual([seen['circuit'], refused['reason']], ['open', 'open'])
})

test('a turn that waits enters the queue and leaves it, with its wait', async () => {
  const run = begin([answering('a')], {
    over: { connections: { 'model-1': 1 } },
    before: async ({ lanes, clock }) => {
      await lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
      void clock.sleep(700).then(() => lanes.report('model-1', 'other', 'success'))
    },
  })
  await run.clock.advance(60_000)
  await run.ended
  assert.deepEqual(namesOf(run), [
    'lane.queue-entered model-1',
    'lane.queue-left model-1',
    'lane.permit-granted model-1',
  ])
  const [[, entered], [, left]] = eventsOf(run) as [Event, Event]
  assert.equal(entered['position'], 1)
  assert.ok(Number(left['waitMs']) >= 700 && left['permitOutcome'] === 'permit')
})

test('a continued answer is an event, and so is a model that wrote something else', async () => {
  const shown = 'Popular series do sell out, so it is worth ordering soon.'
  const broken = [START, say(shown), 'hang'] as const
  const continued = await finish([broken, answering(' A set costs less.')], { message: 'Should I hurry?', ...JOINING })
  assert.deepEqual(namesOf(continued).slice(-1), ['turn.continued model-2'])
  const other = answering('Ordering early makes sense. ', 'A finished series comes as a set.')
  const misfit = await finish([broken, other], { message: 'Should I hurry?' })
  assert.deepEqual(namesOf(misfit).slice(-1), ['turn.continuation-misfit model-2'])
  assert.equal(attemptsOf(misfit).at(-1)?.['outcome'], 'failed')
})

test('the attempt’s span is sent to the vendor, unless the shop does not want it', async () => {
  const run = await finish([answering('a')])
  const attempt = run.telemetry.spans.find(({ name }) => name === 'attempt')
  assert.deepEqual(run.models[0]?.requests[0]?.trace, attempt?.trace)
  const quiet = await finish([answering('a')], configured({ propagate: false }))
  assert.equal(quiet.models[0]?.requests[0]?.trace, undefined)
})

test('words are in a span only where the shop wants them', async () => {
  const without = await finish([answering('words')])
  assert.ok(without.telemetry.spans.every(({ content }) => content === undefined))
  const run = await finish([answering('wo', 'rds')], configured({ messages: true }))
  const attempt = run.telemetry.spans.find(({ name }) => name === 'attempt')
  assert.equal(attempt?.content?.output, 'words')
  assert.ok((attempt?.content?.input.length ?? 0) > 0)
})
