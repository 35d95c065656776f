// Walking the ladder: nothing is committed before the first word, and nothing is repeated after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnAbort } from '#domain/turn-abort.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import type { Amounts } from '#domain/quota.ts'
import type { TurnStart } from '#domain/turn-record.ts'
import { testConfig } from '#wiring/test.ts'
import { plainEstimates } from '../../../test/fixtures/estimates.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { sampleFaq } from '../../../test/fixtures/samples.ts'
import { answering, END, failure, say, scriptedModel, START, usage } from '../../../test/fixtures/scripted-model.ts'
import type { ModelStep } from '../../../test/fixtures/scripted-model.ts'
import { sampleAdmitted, sampleRouted, sampleRung } from '../../../test/fixtures/turns.ts'
import type { InvocationEnd, InvocationPart } from '../turn.ts'
import { createInvoke } from './invoke.ts'

interface Asked {
  readonly message?: string
  readonly language?: 'ja' | 'en'
  readonly completion?: NonNullable<TurnStart['completion']>
  /** What is left to raise a hold by. */
  readonly room?: 'none' | 'unknown'
}

const OWN = { system: '', messages: [{ role: 'user', content: 'hi' }], models: ['only'] } as const

function begin(scripts: readonly (readonly ModelStep[])[], asked: Asked = {}, abortedBy?: TurnAbort) {
  const clock = manualClock()
  const controller = new AbortController()
  if (abortedBy !== undefined) controller.abort(abortedBy)
  const models = scripts.map((steps, index) => scriptedModel(clock, steps, `model-${index + 1}`))
  const ladder = models.map((model, index) => sampleRung(model, { tier: index === 0 ? 'primary' : 'economy' }))
  const telemetry = memoryTelemetry()
  const observed: (string | number)[] = []
  const estimates = {
    ...plainEstimates,
    observe: (model: string, _: unknown, inputTokens: number) => void observed.push(model, inputTokens),
  }
  const raisedTo: Amounts[] = []
  const extend = async (_: TurnStart, to: Amounts) => {
    raisedTo.push(to)
    if (asked.room === 'unknown') throw new Error('the state is away')
    return asked.room !== 'none'
  }
  const invoke = createInvoke({ clock, telemetry, faq: sampleFaq(), config: testConfig, estimates, extend })
  const parts: InvocationPart[] = []
  let told: InvocationEnd | undefined
  const ended = (async () => {
    const routed = sampleRouted({ ...sampleAdmitted(asked), ladder })
    told = await invoke(routed, controller.signal)((part) => parts.push(part))
  })()
  const sources = () => parts.filter((part) => part.type === 'source')
  const text = () => parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')
  const end = () => {
    assert.ok(told !== undefined, 'the invocation has ended')
    return told
  }
  return { clock, controller, models, telemetry, observed, ended, parts, raisedTo, sources, text, end }
}

const finish = async (scripts: readonly (readonly ModelStep[])[], asked?: Asked) => {
  const run = begin(scripts, asked)
  await run.ended
  return run
}

test('what a provider says the prompt took is observed, and what it does not say is not', async () => {
  assert.deepEqual((await finish([answering('a')])).observed, ['model-1', 20])
  assert.deepEqual((await finish([[START, say('a'), END]])).observed, [])
  assert.deepEqual((await finish([[START, say('a'), usage(0, 1), END]])).observed, [])
})

test('the first model’s answer is neither degraded nor doubted, and the second is not asked', async () => {
  const { parts, sources, models, end } = await finish([answering('a', 'b'), answering('never')])
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['attempt-start', 'source', 'text-delta', 'text-delta'],
  )
  assert.deepEqual(sources(), [{ type: 'source', tier: 'primary', model: 'model-1', degraded: false, confidence: 1 }])
  assert.equal(models[1]?.requests.length, 0)
  assert.deepEqual([end().finishReason, end().attempts.length], ['stop', 1])
})

test('a model that fails before a word costs the shopper none: the next one answers and says why', async () => {
  const { sources, text, end } = await finish([[failure('throttled')], answering('b')])
  assert.deepEqual(sources(), [
    { type: 'source', tier: 'economy', model: 'model-2', degraded: true, confidence: 0.7, reason: 'throttled' },
  ])
  assert.equal(text(), 'b')
  assert.deepEqual(
    end().attempts.map(({ attempt, outcome }) => [attempt, outcome]),
    [
      [1, 'throttled'],
      [2, 'end'],
    ],
  )
})

test('when every model fails the FAQ answers in the language asked, and says that it is the FAQ', async () => {
  const ladder = [[failure('unavailable')], [START, failure('internal')]]
  const { sources, text, end } = await finish(ladder, { message: '返品したい', language: 'ja' })
  assert.deepEqual(sources(), [
    { type: 'source', tier: 'faq', model: 'faq', degraded: true, confidence: 0.3, reason: 'internal' },
  ])
  assert.equal(text(), '到着から14日以内に承ります。')
  assert.deepEqual([end().finishReason, end().attempts.length], ['stop', 2])
  const english = await finish(ladder, { message: 'Can I get a refund?', language: 'en' })
  assert.equal(english.text(), 'Within 14 days of arrival.')
})

test('what the FAQ does not know gets the message, in the language asked', async () => {
  for (const [language, apology] of [
    ['ja', /申し訳/],
    ['en', /sorry/],
  ] as const) {
    const { sources, text } = await finish([[failure('internal')]], { message: 'Berserk ベルセルク', language })
    assert.equal(sources()[0]?.tier, 'message')
    assert.match(text(), apology)
  }
})

test('with no model that can be paid for, the fallback names the budget', async () => {
  const { sources, end } = await finish([])
  assert.equal(sources()[0]?.reason, 'budget')
  assert.deepEqual(end().attempts, [])
})

test('a further call is paid for beside what the earlier ones used; a call that was turned away used nothing', async () => {
  const cut = [START, usage(100, 7), failure('stream-broken')]
  const { raisedTo, text, end } = await finish([[failure('throttled')], cut, answering('c')])
  assert.deepEqual(raisedTo, [{ inputTokens: 225, outputTokens: 519, costMicroUsd: 0 }])
  assert.deepEqual([text(), end().attempts.length], ['c', 3])
})

test('without room for a further call no model is asked again, and the fallback names the budget', async () => {
  const cut = [START, usage(100, 7), failure('stream-broken')]
  for (const room of ['none', 'unknown'] as const) {
    const { models, sources, telemetry, end } = await finish([cut, answering('never')], { room })
    assert.equal(models[1]?.requests.length, 0)
    assert.deepEqual([sources()[0]?.reason, end().attempts.length], ['budget', 1])
    assert.ok(telemetry.counted.some(({ name }) => name === 'budget.not-extended'))
  }
  const { end } = await finish([cut, answering('never')], { room: 'none', completion: OWN })
  assert.deepEqual([end().finishReason, end().failure], ['interrupted', 'budget'])
})

test('a model that fails after it spoke ends the answer as interrupted, and nobody speaks over it', async () => {
  const { sources, text, models, end } = await finish([
    [START, say('はじめは'), failure('stream-broken')],
    answering('いいえ'),
  ])
  assert.equal(sources().length, 1)
  assert.equal(text(), 'はじめは')
  assert.equal(models[1]?.requests.length, 0)
  assert.equal(end().finishReason, 'interrupted')
})

test('an answer without a word is no answer: the next is asked', async () => {
  const { sources, text } = await finish([[START, say(''), END], answering('b')])
  assert.deepEqual([sources()[0]?.reason, text()], ['empty', 'b'])
})

test('a grant too small for a word ends as length, and nobody is put in its place', async () => {
  const { end, models, text } = await finish([[START, { type: 'message-end', stopReason: 'length' }], answering('b')])
  assert.deepEqual([end().finishReason, text(), models[1]?.requests.length], ['length', '', 0])
})

test('the reason a model stopped is the reason the answer ends', async () => {
  const stopping = (stopReason: 'length' | 'blocked' | 'tool-use') =>
    finish([[START, say('a'), { type: 'message-end', stopReason }]])
  assert.equal((await stopping('length')).end().finishReason, 'length')
  assert.equal((await stopping('blocked')).end().finishReason, 'blocked')
  assert.equal((await stopping('tool-use')).end().finishReason, 'interrupted')
})

test('what a filter stopped before a word is not tried on another model', async () => {
  const [byEnd, byError] = [[START, { type: 'message-end', stopReason: 'blocked' } as const], [failure('blocked')]]
  for (const script of [byEnd, byError]) {
    const { models, sources, text, end } = await finish([script, answering('never')])
    assert.equal(models[1]?.requests.length, 0)
    assert.deepEqual([sources()[0]?.reason, end().finishReason], ['blocked', 'blocked'])
    assert.notEqual(text(), '')
  }
  const { end } = await finish([[START, say('a'), failure('blocked')]])
  assert.equal(end().finishReason, 'blocked')
})

test('a rung’s own limits of silence go before the general ones', async () => {
  const clock = manualClock()
  const ladder = [sampleRung(scriptedModel(clock, ['hang']), { limits: { firstTokenMs: 500 } })]
  const invoke = createInvoke({
    clock,
    telemetry: memoryTelemetry(),
    faq: sampleFaq(),
    config: testConfig,
    estimates: plainEstimates,
    extend: async () => true,
  })
  const parts: InvocationPart[] = []
  const ended = invoke(sampleRouted({ ladder }), new AbortController().signal)((part) => parts.push(part))
  await clock.advance(500)
  await ended
  assert.ok(parts.some((part) => part.type === 'source' && part.reason === 'timeout'))
})

test('usage that a provider did not tell is reported to the operators', async () => {
  const { telemetry } = await finish([[START, say('a'), END]])
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields.model]),
    [['model.usage-unknown', 'model-1']],
  )
})

test('a stop before the first word ends with no words and no fallback, and reaches the model', async () => {
  const { clock, controller, ended, parts, models, end } = begin([['hang'], answering('b')])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['attempt-start'],
  )
  assert.deepEqual([end().finishReason, end().attempts.length], ['stopped', 1])
  assert.deepEqual([models[0]?.aborts.length, models[1]?.requests.length], [1, 0])
})

test('a stop in the middle keeps what was said', async () => {
  const { clock, controller, ended, text, end } = begin([[START, say('半分'), 'hang']])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.deepEqual([text(), end().finishReason], ['半分', 'stopped'])
})

test('a turn that was aborted before it began asks nobody', async () => {
  const run = begin([answering('a')], {}, new TurnAbort('timeout'))
  await run.ended
  assert.deepEqual([run.parts.length, run.end().finishReason, run.models[0]?.requests.length], [0, 'timeout', 0])
})

test('whoever brought a prompt of their own gets a model’s answer or the reason for none, and never our FAQ', async () => {
  const refused = await finish([[failure('throttled')], [failure('unavailable')]], {
    message: '送料は？',
    completion: OWN,
  })
  assert.deepEqual([refused.text(), refused.sources().length], ['', 0])
  assert.deepEqual([refused.end().finishReason, refused.end().failure], ['interrupted', 'unavailable'])
  const cut = await finish([[START, say('half'), failure('stream-broken')]], { completion: OWN })
  assert.deepEqual([cut.text(), cut.end().finishReason, cut.end().failure], ['half', 'interrupted', 'stream-broken'])
  const whole = await finish([answering('all')], { completion: OWN })
  assert.deepEqual([whole.text(), whole.end().finishReason, whole.end().failure], ['all', 'stop', undefined])
})

test('a silent model is followed by the next within its limit', async () => {
  const { clock, ended, sources } = begin([['hang'], answering('b')])
  await clock.advance(testConfig.deadlines.firstTokenMs)
  await ended
  assert.deepEqual([sources()[0]?.model, sources()[0]?.reason], ['model-2', 'timeout'])
})
