// Walks the ladder: nothing is committed before the first text, and no model is asked whose lane, tries or time do not
// allow it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstWordOf } from '#domain/turn/first-word.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleCachedAnswer } from '#fixtures/turns/answers.ts'
import { testInvocation, UNSHARED } from '#fixtures/turns/invocation.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { answering, END, failure, say, scriptedModel, START, think, usage } from '#fixtures/models/scripted-model.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { begin, finish, ONCE, OWN, UNHEDGED } from '#fixtures/turns/walk.ts'
import type { Asked } from '#fixtures/turns/walk.ts'
import type { InvocationPart } from '../turn.ts'

test('a provider’s reported input tokens are observed, and unreported ones are not', async () => {
  assert.deepEqual((await finish([answering('a')])).observed, ['model-1', 20])
  assert.deepEqual((await finish([[START, say('a'), END]])).observed, [])
  assert.deepEqual((await finish([[START, say('a'), usage(0, 1), END]])).observed, [])
})

test('the first model’s answer is not degraded, and the second is not asked', async () => {
  const { types, sources, calls, end, recorded } = await finish([answering('a', 'b'), answering('never')])
  assert.deepEqual(types(), ['attempt-start', 'source', 'text-delta', 'text-delta'])
  assert.deepEqual(sources(), [
    { type: 'source', tier: 'primary', model: 'model-1', name: 'model-1', degraded: false, confidence: 1 },
  ])
  assert.deepEqual(calls(), [1, 0])
  assert.deepEqual([end().finishReason, end().attempts.length], ['stop', 1])
  assert.deepEqual([recorded.permits, recorded.served, recorded.reports], [1, 1, ['success']])
})

test('a fresh cached answer comes before any model, marked as cached', async () => {
  const lookup = { kind: 'fresh', key: 'k', answer: sampleCachedAnswer({ text: 'before' }) } as const
  const { sources, text, calls, end } = await finish([answering('never')], { lookup })
  assert.deepEqual(sources(), [
    { type: 'source', tier: 'cached', model: 'model-1', cached: true, degraded: false, confidence: 1 },
  ])
  assert.deepEqual([text(), calls(), end().finishReason, end().attempts.length], ['before', [0], 'stop', 0])
})

test('the built-in responder as a lower rung has a lower confidence, and is named', async () => {
  const { sources } = await finish([[failure('unavailable')], answering('b')], { lowerTier: 'embedded' })
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'embedded',
      model: 'model-2',
      name: 'model-2',
      degraded: true,
      confidence: 0.5,
      reason: 'unavailable',
    },
  ])
})

test('a model that fails before its first text is retried while the pauses are short, then the next one answers with the reason', async () => {
  const { sources, text, calls, end, recorded } = await finish([[failure('unavailable')], answering('b')])
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'economy',
      model: 'model-2',
      name: 'model-2',
      degraded: true,
      confidence: 0.7,
      reason: 'unavailable',
    },
  ])
  assert.equal(text(), 'b')
  assert.deepEqual(calls(), [2, 1])
  assert.deepEqual(
    end().attempts.map(({ attempt, outcome }) => [attempt, outcome]),
    [
      [1, 'unavailable'],
      [2, 'unavailable'],
      [3, 'end'],
    ],
  )
  assert.deepEqual(recorded.reports, ['fault', 'fault', 'success'])
})

test('a successful retry ends the walk', async () => {
  const { sources, calls, text } = await finish([{ calls: [[failure('unavailable')], answering('a')] }, answering('b')])
  assert.deepEqual([sources()[0]?.degraded, calls(), text()], [false, [2, 0], 'a'])
})

test('a permanent failure is not retried, and does not count against the lane', async () => {
  for (const errorClass of ['invalid', 'access-denied', 'not-found', 'context-too-long'] as const) {
    const { calls, recorded, lanes } = await finish([[failure(errorClass)], answering('b')])
    assert.deepEqual(
      [calls(), recorded.reports],
      [
        [1, 1],
        ['neutral', 'success'],
      ],
    )
    assert.equal(lanes.seen('model-1').recent.failures, 0)
  }
})

test('a silent model is left for the next one after half of the promise, and counts as timed out', async () => {
  const { clock, ended, sources, calls, recorded } = begin([['hang'], answering('b')], { over: UNHEDGED })
  await clock.advance(testConfig.answers.firstWordMs / 2)
  await ended
  assert.deepEqual([sources()[0]?.model, sources()[0]?.reason, calls()], ['model-2', 'timeout', [1, 1]])
  assert.deepEqual(recorded.reports, ['silent', 'success'])
})

test('a caller’s own prompt waits for a silent model as long as the outer walls allow', async () => {
  const { clock, ended, sources, calls } = begin([['hang'], answering('b')], { completion: OWN })
  await clock.advance(testConfig.deadlines.firstTokenMs - 1)
  assert.deepEqual(calls(), [1, 0])
  await clock.advance(1)
  await ended
  assert.deepEqual([sources()[0]?.model, calls()], ['model-2', [1, 1]])
})

test('Retry-After is respected or the model is not retried: what would be slept is compared with the rest of the promise', async () => {
  const waiting = begin([{ calls: [[failure('throttled', 1000)], answering('a')] }])
  await waiting.clock.advance(999)
  assert.deepEqual(waiting.calls(), [1])
  await waiting.clock.advance(1300)
  await waiting.ended
  assert.deepEqual([waiting.calls(), waiting.text()], [[2], 'a'])
  const tooLong = begin([[failure('throttled', 2500)]])
  await tooLong.clock.advance(0)
  await tooLong.ended
  assert.deepEqual([tooLong.calls(), tooLong.sources()[0]?.tier], [[1], 'message'])
})

test('a throttled question that no other model can answer goes back to the queue, without a retry from the budget', async () => {
  const run = begin([{ calls: [[failure('throttled')], [failure('throttled')], answering('a')] }])
  await run.clock.advance(testConfig.answers.firstWordMs / 4)
  await run.ended
  assert.deepEqual([run.calls(), run.text()], [[3], 'a'])
  assert.deepEqual(run.recorded.reports, ['overload', 'overload', 'success'])
})

test('it goes back as often as a model may be asked for a turn', async () => {
  const attemptsPerModelMax = 2
  const config = { ...testConfig, retries: { ...testConfig.retries, attemptsPerModelMax } }
  const throttled = [[failure('throttled')], [failure('throttled')], answering('a')]
  const run = begin([{ calls: throttled }], { over: { config } })
  await run.clock.advance(testConfig.answers.firstWordMs)
  await run.ended
  assert.deepEqual([run.calls(), run.sources()[0]?.tier], [[attemptsPerModelMax], 'message'])
})

test('while another model is free, pauses are short in sum: a longer one moves on at once', async () => {
  for (const retryAfterMs of [1000, 4000, 10_000, 60_000]) {
    const run = begin([[failure('throttled', retryAfterMs)], answering('b')])
    await run.clock.advance(0)
    await run.ended
    assert.deepEqual([run.calls(), run.text()], [[1, 1], 'b'])
  }
  const { pausesMs } = firstWordOf(0, testConfig.answers.firstWordMs)
  const retried = begin([[failure('unavailable')], answering('b')])
  await retried.clock.advance(pausesMs)
  await retried.ended
  assert.deepEqual([retried.calls()[1], retried.text()], [1, 'b'])
})

test('after a model that used up its grant by thinking, the next one is asked', async () => {
  const cut = [START, think('hm'), usage(20, 512), { type: 'message-end', stopReason: 'length' } as const]
  const { sources, text, recorded } = await finish([cut, answering('b')])
  assert.deepEqual([sources()[0]?.model, sources()[0]?.reason, text()], ['model-2', 'empty', 'b'])
  assert.deepEqual([recorded.served, recorded.reports], [2, ['success', 'success']])
  const much = await finish([[START, think('hm '.repeat(600)), say('never'), END], answering('b')])
  assert.deepEqual([much.sources()[0]?.reason, much.text()], ['empty', 'b'])
})

test('a lane that is not closed grants no retry, so there is no backoff', async () => {
  const halfOpen: Asked['before'] = async ({ lanes, clock }) => {
    for (const id of ['1', '2', '3']) {
      await lanes.permit('model-1', { id, ask: { kind: 'first' } })
      await lanes.report('model-1', id, 'fault')
    }
    await lanes.tick()
    await clock.advance(3000)
    await lanes.tick()
  }
  const run = begin([[failure('unavailable')]], { before: halfOpen, completion: OWN })
  await run.clock.advance(3000)
  await run.ended
  assert.deepEqual([run.calls(), run.end().failure, run.clock.timers()], [[1], 'unavailable', 0])
})

test('a shopper’s question is not the first probe of a model whose circuit was open, whatever else can answer', async () => {
  const firstStage: Asked['before'] = async ({ lanes, clock }) => {
    for (const id of ['1', '2', '3']) {
      await lanes.permit('model-1', { id, ask: { kind: 'first' } })
      await lanes.report('model-1', id, 'fault')
    }
    await lanes.tick()
    await clock.advance(3000)
    await lanes.tick()
    assert.deepEqual([lanes.seen('model-1').phase, lanes.seen('model-1').probes?.stage], ['half-open', 0])
  }
  const two = begin([answering('a'), answering('b')], { before: firstStage, acceptedAfterMs: 3000 })
  await two.clock.advance(3000)
  await two.ended
  assert.deepEqual([two.calls(), two.sources()[0]?.reason], [[0, 1], 'circuit-open'])
  const alone = begin([answering('a')], { before: firstStage, acceptedAfterMs: 3000 })
  await alone.clock.advance(3000)
  await alone.ended
  assert.deepEqual([alone.calls(), alone.sources()[0]?.tier], [[0], 'message'])
})

test('a further call is paid besides the use of earlier ones; a refused call used nothing', async () => {
  const cut = [START, usage(100, 7), failure('stream-broken')]
  const { recorded, text, end } = await finish([[failure('throttled')], cut, answering('c')], ONCE)
  assert.deepEqual(recorded.raisedTo, [{ inputTokens: 225, outputTokens: 519, costMicroUsd: 0 }])
  assert.deepEqual([text(), end().attempts.length], ['c', 3])
})

test('without room for a further call no model is asked again, and the fallback names the budget', async () => {
  const cut = [START, usage(100, 7), failure('stream-broken')]
  for (const room of ['none', 'unknown'] as const) {
    const { calls, sources, telemetry, end } = await finish([cut, answering('never')], { over: { room } })
    assert.deepEqual([calls(), sources()[0]?.reason, end().attempts.length], [[1, 0], 'budget', 1])
    assert.ok(telemetry.counted.some(({ name }) => name === 'budget_extend_refused_total'))
  }
  const { end } = await finish([cut, answering('never')], { over: { room: 'none' }, completion: OWN })
  assert.deepEqual([end().finishReason, end().failure], ['interrupted', 'budget'])
})

test('the limits of calls per model and per turn hold', async () => {
  assert.deepEqual((await finish([[failure('internal')]], { completion: OWN })).calls(), [3])
  const all = await finish([[failure('internal')], [failure('internal')], [failure('internal')]], { completion: OWN })
  assert.deepEqual(all.calls(), [3, 2, 0])
  assert.deepEqual((await finish([[failure('internal')]], ONCE)).calls(), [1])
})

test('an open lane is not asked: the next model is, and with none left the fallback follows at once', async () => {
  const before: Asked['before'] = ({ lanes }) => lanes.operate('model-1', 'force-open', 'test')
  const next = await finish([answering('a'), answering('b')], { before })
  assert.deepEqual([next.calls(), next.sources()[0]?.reason], [[0, 1], 'circuit-open'])
  const none = begin([answering('a')], { before })
  await none.ended
  assert.deepEqual([none.calls(), none.sources()[0]?.tier, none.sources()[0]?.reason], [[0], 'message', 'circuit-open'])
})

test('a caller’s prompt with less than eight seconds to its first text is asked of the economy model, with less than three of none', async () => {
  const within = (ms: number) => ({ firstWordBy: manualClock().now() + ms, endBy: manualClock().now() + 100_000 })
  const asked = (ms: number) => ({ deadlines: within(ms), completion: OWN })
  const hurried = await finish([answering('a'), answering('b')], asked(7999))
  assert.deepEqual([hurried.calls(), hurried.sources()[0]?.reason], [[0, 1], 'no-time'])
  assert.deepEqual((await finish([answering('a')], asked(7999))).calls(), [1])
  const late = await finish([answering('a'), answering('b')], asked(2999))
  assert.deepEqual([late.calls(), late.end().failure], [[0, 0], 'no-time'])
  const slow = await finish([answering('a')], {
    ...asked(5000),
    before: async ({ typical }) => typical.see('model-1', 6000),
  })
  assert.deepEqual(slow.calls(), [0])
})

test('time on the way to a call counts too: after the deadline no model is asked, and the permit is returned', async () => {
  const used = [START, usage(100, 7), failure('internal')]
  const slow = await finish([used, answering('never')], { over: { extendMs: 30_000 } })
  assert.deepEqual([slow.calls(), slow.sources()[0]?.tier], [[1, 0], 'message'])
  const held: Asked['before'] = async ({ lanes, typical }) => {
    typical.see('model-1', 6000)
    await lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
  }
  const queued = begin([answering('never')], { over: { connections: { 'model-1': 1 } }, before: held })
  await queued.clock.advance(testConfig.answers.firstWordMs)
  await queued.ended
  assert.deepEqual([queued.calls(), queued.line.size()], [[0], 0])
})

test('a model’s first text is waited for until the promise at most, less the moment that the fallback needs', async () => {
  const run = begin([['hang']])
  await run.clock.advance(2849)
  assert.equal(run.sources().length, 0)
  await run.clock.advance(1)
  await run.ended
  assert.equal(run.sources()[0]?.tier, 'message')
})

test('with every connection in use the turn waits in the queue with its position, and is answered when one is free', async () => {
  const held: Asked['before'] = ({ lanes }) => lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
  const run = begin([answering('a')], { over: { connections: { 'model-1': 1 } }, before: held })
  await run.clock.advance(1000)
  assert.deepEqual(run.calls(), [0])
  assert.deepEqual(
    run.parts.map((part) => part.type === 'queued' && part.place.position),
    [1],
  )
  await run.lanes.report('model-1', 'other', 'success')
  await run.clock.advance(0)
  await run.ended
  assert.deepEqual([run.text(), run.end().finishReason], ['a', 'stop'])
})

test('a turn does not wait in the queue when another model can answer at once', async () => {
  const before: Asked['before'] = ({ lanes }) => lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
  const run = begin([answering('a'), answering('b')], { over: { connections: { 'model-1': 1 } }, before })
  await run.ended
  assert.deepEqual(
    [run.calls(), run.sources()[0]?.reason, run.types().includes('queued')],
    [[0, 1], 'saturated', false],
  )
})

test('a turn does not wait beyond the promise of its first word, nor after a stop', async () => {
  const before: Asked['before'] = ({ lanes }) => lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
  const over = { connections: { 'model-1': 1 } }
  const late = begin([answering('a')], { over, before })
  await late.clock.advance(testConfig.answers.firstWordMs)
  await late.ended
  assert.deepEqual([late.calls(), late.line.size(), late.sources()[0]?.reason], [[0], 0, 'saturated'])
  const gone = begin([answering('a')], { over, before })
  await gone.clock.advance(1000)
  gone.controller.abort(new TurnAbort('unread'))
  await gone.ended
  assert.deepEqual([gone.calls(), gone.line.size(), gone.end().finishReason, gone.text()], [[0], 0, 'stopped', ''])
})

test('a grant used up before any text asks no other model: a caller gets length, a shopper a fallback', async () => {
  const ladder = [[START, { type: 'message-end', stopReason: 'length' } as const], answering('b')]
  const own = await finish(ladder, { completion: OWN })
  assert.deepEqual([own.end().finishReason, own.text(), own.calls()], ['length', '', [1, 0]])
  const { sources, text, calls, end } = await finish(ladder, { message: 'ベルセルク' })
  assert.deepEqual([sources()[0]?.tier, sources()[0]?.reason, calls()], ['message', 'length', [1, 0]])
  assert.match(text(), /申し訳/)
  assert.deepEqual([end().finishReason, end().attempts.length], ['stop', 1])
})

test('the model’s stop reason is the answer’s finish reason', async () => {
  const stopping = (stopReason: 'length' | 'blocked' | 'tool-use') =>
    finish([[START, say('a'), { type: 'message-end', stopReason }]])
  assert.equal((await stopping('length')).end().finishReason, 'length')
  assert.equal((await stopping('blocked')).end().finishReason, 'blocked')
  assert.equal((await stopping('tool-use')).end().finishReason, 'interrupted')
})

test('a rung’s own timeouts override the general ones', async () => {
  const clock = manualClock()
  const ladder = [sampleRung(scriptedModel(clock, ['hang']), { limits: { firstTokenMs: 500 } })]
  const parts: InvocationPart[] = []
  const invocation = testInvocation(clock).invoke(
    sampleRouted({ ladder }),
    { lookup: UNSHARED },
    new AbortController().signal,
  )
  const ended = invocation((part) => parts.push(part))
  await clock.advance(500)
  await ended
  assert.ok(parts.some((part) => part.type === 'source' && part.reason === 'timeout'))
})

test('missing usage of a provider is reported to operators', async () => {
  const { telemetry } = await finish([[START, say('a'), END]])
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields.model]),
    [['model.usage-estimated', 'model-1']],
  )
})

test('a stop before the first text ends without text or fallback, aborts the model, and is neutral for the lane', async () => {
  const { clock, controller, ended, types, models, calls, end, recorded } = begin([['hang'], answering('b')])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.deepEqual(types(), ['attempt-start'])
  assert.deepEqual([end().finishReason, end().attempts.length], ['stopped', 1])
  assert.deepEqual([models[0]?.aborts.length, calls(), recorded.reports], [1, [1, 0], ['neutral']])
})

test('after a stop between two tries no further call is made', async () => {
  const { clock, controller, ended, calls, end, recorded } = begin([[failure('throttled', 1000)]])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.deepEqual([calls(), end().finishReason, recorded.reports, clock.timers()], [[1], 'stopped', ['overload'], 0])
})

test('a stop in mid-answer keeps the text so far', async () => {
  const { clock, controller, ended, text, end } = begin([[START, say('半分'), 'hang']])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.deepEqual([text(), end().finishReason], ['半分', 'stopped'])
})

test('a turn aborted before it began asks no model', async () => {
  const run = await finish([answering('a')], { abortedBy: new TurnAbort('timeout') })
  assert.deepEqual([run.parts.length, run.end().finishReason, run.calls()], [0, 'timeout', [0]])
})

test('a caller’s own prompt gets a model’s answer or the reason for none, never the FAQ', async () => {
  const refused = await finish([[failure('throttled', 7000)], [failure('unavailable')]], {
    message: '送料は？',
    completion: OWN,
  })
  assert.deepEqual([refused.text(), refused.sources().length], ['', 0])
  const { finishReason, failure: why, retryAfterMs } = refused.end()
  assert.deepEqual([finishReason, why, retryAfterMs], ['interrupted', 'unavailable', 7000])
  const soonest = await finish([[failure('throttled', 7000)], [failure('throttled', 90_000)]], { completion: OWN })
  assert.equal(soonest.end().retryAfterMs, 7000)
  const cut = await finish([[START, say('half'), 'hang']], { completion: OWN })
  assert.deepEqual([cut.text(), cut.end().finishReason, cut.end().failure], ['half', 'interrupted', 'timeout'])
  const mended = await finish(
    [{ calls: [[START, say('half'), failure('stream-broken')], answering('half and all')] }],
    {
      completion: OWN,
    },
  )
  assert.deepEqual(
    [mended.text(), mended.end().finishReason, mended.end().failure],
    ['half and all', 'stop', undefined],
  )
  const whole = await finish([answering('all')], { completion: OWN })
  assert.deepEqual([whole.text(), whole.end().finishReason, whole.end().failure], ['all', 'stop', undefined])
})

test('a full model is waited for, and not left for the built-in responder below it', async () => {
  const run = begin([answering('a'), answering('built-in')], {
    lowerTier: 'embedded',
    over: { connections: { 'model-1': 1 } },
    before: ({ lanes }) => lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } }),
  })
  await run.clock.advance(1000)
  assert.deepEqual([run.calls(), run.types()], [[0, 0], ['queued']])
  await run.lanes.report('model-1', 'other', 'success')
  await run.clock.advance(500)
  await run.ended
  assert.deepEqual([run.text(), run.sources()[0]?.degraded], ['a', false])
})
