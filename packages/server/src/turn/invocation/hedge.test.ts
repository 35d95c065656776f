// Hedges a slow model with the next one: the first to send text answers, the other is stopped and booked, and whatever
// forbids it leaves the turn as it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import type { TestInvocation } from '#fixtures/turns/invocation.ts'
import { answering, failure, say, START } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { begin, finish, OWN, shownBefore } from '#fixtures/turns/walk.ts'
import type { Asked } from '#fixtures/turns/walk.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { HedgeShare } from './hedge.ts'

const P95_MS = 500
const AFTER_P95 = { waitMs: P95_MS + 1000 }
const SLOW: Script = [AFTER_P95, ...answering('slow')]
const QUICK: Script = [{ waitMs: 100 }, ...answering('quick')]
const hedging = (over: Partial<TestInvocation> = {}): TestInvocation => ({
  ...over,
  config: { ...(over.config ?? testConfig), hedge: { enabled: true, shareMax: 1 } },
})
/** The first model usually sends its first text within `P95_MS`. */
const usual: Asked['before'] = async ({ typical }) => {
  for (let calls = 0; calls < 20; calls += 1) typical.see('model-1', P95_MS)
}
const HEDGED: Asked = { facts: SAMPLE_FACTS, over: hedging(), before: usual }

test('off by default: a slow model is waited for alone', async () => {
  const { calls, text } = await finish([SLOW, QUICK], { facts: SAMPLE_FACTS, before: usual })
  assert.deepEqual([calls(), text()], [[1, 0], 'slow'])
})

test('switched off by an operator: a slow model is waited for alone', async () => {
  const settings = changedSettings()
  settings.off.add('hedging')
  const { calls, text } = await finish([SLOW, QUICK], { ...HEDGED, over: hedging({ settings }) })
  assert.deepEqual([calls(), text()], [[1, 0], 'slow'])
})

test('a model that answers in its usual time is asked alone', async () => {
  const { calls, text, recorded } = await finish([[{ waitMs: 400 }, ...answering('in time')], QUICK], HEDGED)
  assert.deepEqual([calls(), text(), recorded.raisedTo], [[1, 0], 'in time', []])
})

test('after that time the next model is asked too; when it is first, it answers with its reason, and the other is stopped and booked', async () => {
  const { models, calls, sources, text, end, types, recorded, telemetry } = await finish([SLOW, QUICK], HEDGED)
  assert.deepEqual([calls(), text(), end().finishReason], [[1, 1], 'quick', 'stop'])
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'economy',
      model: 'model-2',
      name: 'model-2',
      degraded: true,
      confidence: 0.7,
      reason: 'hedged',
    },
  ])
  assert.equal(models[0]?.aborts.length, 1)
  assert.deepEqual(
    end()
      .attempts.map(({ attempt, model, outcome, usage }) => [attempt, model, outcome, usage.inputTokens])
      .toSorted(([one], [other]) => Number(one) - Number(other)),
    [
      [1, 'model-1', 'cancelled', 100],
      [2, 'model-2', 'end', 20],
    ],
  )
  assert.deepEqual(types(), ['attempt-start', 'attempt-start', 'source', 'text-delta', 'attempt-end'])
  assert.deepEqual(recorded.reports.toSorted(), ['neutral', 'success'])
  // Both calls in full: the cost of the ladder's most expensive call is not enough.
  assert.deepEqual(
    recorded.raisedTo.map(({ outputTokens }) => outputTokens),
    [1024],
  )
  assert.deepEqual(
    telemetry.counted.filter(({ name }) => name === 'model_hedges_total').map(({ fields }) => fields),
    [{ model: 'model-1', outcome: 'won' }],
  )
})

test('when the first model is still first, its answer is not degraded, and the second is stopped and booked', async () => {
  const first: Script = [{ waitMs: P95_MS + 50 }, ...answering('first')]
  const { models, sources, text, end, telemetry } = await finish([first, [AFTER_P95, ...answering('never')]], HEDGED)
  assert.deepEqual([text(), sources()[0]?.degraded, sources().length], ['first', false, 1])
  assert.equal(models[1]?.aborts.length, 1)
  assert.deepEqual(
    end()
      .attempts.map(({ outcome }) => outcome)
      .toSorted(),
    ['cancelled', 'end'],
  )
  assert.ok(telemetry.counted.some(({ name, fields }) => name === 'model_hedges_total' && fields['outcome'] === 'lost'))
})

test('a first model that fails meanwhile costs only its call; when both fail, the walk continues', async () => {
  const failing: Script = [{ waitMs: P95_MS + 50 }, failure('unavailable')]
  const saved = await finish([failing, [{ waitMs: 2000 }, ...answering('second')]], HEDGED)
  assert.deepEqual([saved.text(), saved.calls()], ['second', [1, 1]])
  const both = await finish([failing, { calls: [[failure('unavailable')], answering('again')] }], HEDGED)
  assert.deepEqual([both.text(), both.end().finishReason], ['again', 'stop'])
  assert.equal(both.telemetry.counted.filter(({ name }) => name === 'model_hedges_total').length, 1, 'once a turn')
})

test('a stop stops both, and both are booked', async () => {
  const run = begin([['hang'], ['hang']], HEDGED)
  await run.clock.advance(P95_MS + 100)
  assert.deepEqual(run.calls(), [1, 1])
  run.controller.abort(new TurnAbort('stopped'))
  await run.ended
  assert.deepEqual(
    [run.end().finishReason, run.end().attempts.map(({ outcome }) => outcome)],
    ['stopped', ['stopped', 'stopped']],
  )
  assert.deepEqual(
    run.models.map(({ aborts }) => aborts.length),
    [1, 1],
  )
  assert.deepEqual([run.recorded.permits, run.recorded.reports.length, run.clock.timers()], [2, 2, 0])
})

test('broken text of the second model is continued by the next model of the walk', async () => {
  const half = 'この作品は、静かな町で暮らす兄妹の物語です。'
  const breaking = { calls: [[START, say(half), failure('stream-broken')], answering('また、泣けます。')] }
  const facts = { ...SAMPLE_FACTS, trailingAssistant: true }
  const { text, calls, end } = await finish([SLOW, breaking], { ...HEDGED, facts })
  assert.deepEqual([text(), calls(), end().finishReason], [`${half}また、泣けます。`, [1, 2], 'stop'])
})

test('the time of a stopped call is learned, or the usual time would shrink with every hedge', async () => {
  const { typical } = await finish([SLOW, QUICK], HEDGED)
  assert.ok(typical.of('model-1') > P95_MS)
})

const attemptsMax = { ...testConfig, retries: { ...testConfig.retries, attemptsPerTurnMax: 1 } }
const forbidden: Readonly<Record<string, readonly [Asked, string | undefined]>> = {
  'no budget for both calls': [{ over: hedging({ room: 'none' }) }, 'budget'],
  'a budget that cannot be asked': [{ over: hedging({ room: 'unknown' }) }, 'budget'],
  'no more attempts in the turn': [{ over: hedging({ config: attemptsMax }) }, 'attempts'],
  'a next lane that is shut': [
    {
      async before(run) {
        await usual?.(run)
        await run.lanes.operate('model-2', 'force-open', 'aki')
      },
    },
    'lane',
  ],
  'a next lane that is full': [
    {
      over: hedging({ connections: { 'model-2': 1 } }),
      async before(run) {
        await usual?.(run)
        await run.lanes.permit('model-2', { id: 'other', ask: { kind: 'first' } })
      },
    },
    'lane',
  ],
  'no usual time learnt': [{ before: async () => {} }, undefined],
  'a prompt of the caller’s own': [{ completion: OWN }, undefined],
  'a turn that another owner had begun': [{ begun: { text: '', attempts: [] } }, undefined],
  'an answer that is continued': [{ begun: shownBefore('これは') }, undefined],
}
for (const [what, [asked, why]] of Object.entries(forbidden)) {
  test(`not with ${what}: the first model is waited for alone`, async () => {
    const run = begin([SLOW, QUICK], { ...HEDGED, ...asked })
    await run.clock.advance(P95_MS + 500)
    assert.deepEqual(run.calls(), [1, 0])
    await run.clock.advance(60_000)
    await run.ended
    const refused = run.telemetry.counted.filter(({ name }) => name === 'model_hedge_refused_total')
    assert.deepEqual(
      refused.map(({ fields }) => fields['reason']),
      why === undefined ? [] : [why],
    )
    assert.ok(!run.telemetry.counted.some(({ name }) => name === 'model_hedges_total'))
  })
}

test('the built-in responder, which would always be first, is not hedged', async () => {
  const { facts: _, ...ours } = HEDGED
  const { calls, text } = await finish([SLOW, QUICK], ours)
  assert.deepEqual([calls(), text()], [[1, 0], 'slow'])
})

test('a node hedges at most a share of its first calls, and accumulates little', () => {
  const share = new HedgeShare(0.05)
  let made = 0
  for (let calls = 0; calls < 1000; calls += 1) {
    share.earn()
    if (share.take()) made += 1
  }
  assert.ok(made >= 49 && made <= 50, String(made))
  for (let calls = 0; calls < 10_000; calls += 1) share.earn()
  assert.deepEqual([share.take(), share.take(), share.take(), share.take()], [true, true, true, false])
  share.putBack()
  assert.equal(share.take(), true)
})
