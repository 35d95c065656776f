// Answering in the whole app over memory ports and virtual time: cached and refreshed answers, deferred questions that are
// asked again or given up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import type { Model } from '#ports/model/port.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'

const never = new AbortController().signal
const config: Config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } }, ladder: ['primary'] }
const SHARED = '返品できますか'

async function setUp(over: Partial<Config> = {}) {
  const own = { ...config, ...over }
  const ports = await testPorts()
  const { clock } = ports
  let script: readonly ModelStep[] = answering('はい、できます。')
  let calls = 0
  const primary: Model = {
    id: 'primary-id',
    stream: (request) => ((calls += 1), scriptedModel(clock, script, 'primary-id').stream(request)),
  }
  const models = new Map([['primary', primary]])
  const app = createApp({ ...ports, models, lanes: testLanes(ports, own) }, own)
  app.start()
  let asked = 0
  /** Asks as another principal each time, unless one is given. */
  const ask = async (message: string, principal = { ...GUEST, id: `guest_${asked + 1}` }, advanceMs = 20_000) => {
    asked += 1
    const { turnId, sessionId } = await app.chat(sampleReceived({ principal, requestId: `r${asked}`, message }))
    const frames = collect(await app.read(principal, { turnId, offset: 0 }, never))
    await clock.advance(advanceMs)
    const all = await frames
    const done = all.at(-1)
    const meta = all.findLast((frame) => frame.type === 'meta')
    assert.ok(done?.type === 'done' && meta?.type === 'meta')
    return { done, meta, turnId, sessionId, principal }
  }
  const close = async () => {
    const drained = app.drain()
    await clock.advance(60_000)
    await drained
  }
  return {
    ports,
    app,
    clock,
    ask,
    close,
    calls: () => calls,
    says: (next: readonly ModelStep[]) => void (script = next),
  }
}

test('a fresh answer is reused, a stale one is used in an outage, and it is refreshed when the model is available', async () => {
  const { ports, ask, clock, calls, says, close } = await setUp()
  assert.equal((await ask(SHARED)).done.tier, 'primary')
  const again = await ask(SHARED)
  assert.deepEqual([again.done.tier, again.meta.cached, again.meta.confidence, calls()], ['cached', true, 1, 1])
  await clock.advance(config.answers.freshMs)
  says([failure('unavailable')])
  // The circuit must be open: a refresh that is asked of a failing model is dropped.
  for (let other = 0; other < 10; other += 1) await ask(`ナルトは？ ${other}`, undefined, 2000)
  const stale = await ask(SHARED, undefined, 2000)
  assert.deepEqual([stale.done.tier, stale.meta.degraded, stale.meta.confidence], ['cached', true, 0.5])
  says(answering('はい、今も。'))
  // Other turns must use the model before its circuit closes.
  for (let other = 0; other < 20; other += 1) await ask(`ベルセルクは？ ${other}`, undefined, 2000)
  await clock.advance(30_000)
  const before = calls()
  const refreshed = await ask(SHARED)
  assert.deepEqual([refreshed.done.tier, refreshed.meta.degraded, calls()], ['cached', false, before])
  const books = await ports.ledger.totals({ principalId: 'shop' })
  assert.ok(books.rows >= 1)
  await close()
})

test('turns with one question share a call while the first of them still waits in the queue', async () => {
  const models = { primary: { provider: 'bedrock', id: 'p', connectionsMax: 1 } } as const
  const { ask, calls, clock, says, close } = await setUp({ models })
  says([{ waitMs: 300 }, ...answering('はい、できます。')])
  const asked = [ask('ベルセルクは？', undefined, 0), ask(SHARED, undefined, 0), ask(SHARED, undefined, 0)]
  await clock.advance(20_000)
  const ended = await Promise.all(asked)
  assert.deepEqual([ended.map(({ done }) => done.tier), calls()], [['primary', 'primary', 'cached'], 2])
  await close()
})

test('a deferred question is asked again after the model has answered, as a turn of its conversation', async () => {
  const { app, ports, ask, clock, says, close } = await setUp()
  says([failure('throttled')])
  const { done, sessionId, principal } = await ask('ベルセルクは？')
  assert.equal(done.finishReason, 'deferred')
  await clock.advance(60_000)
  assert.equal((await app.session(principal, sessionId)).turns.length, 1, 'nothing is promised twice')
  says(answering('はい。'))
  await clock.advance(30_000)
  const { turns } = await app.session(principal, sessionId)
  assert.deepEqual(
    turns.map(({ question, finishReason, answer }) => [question, finishReason, answer === 'はい。']),
    [
      ['ベルセルクは？', 'deferred', false],
      ['ベルセルクは？', 'stop', true],
    ],
  )
  assert.equal(await ports.deferred.count(), 0)
  await close()
})

test('an expired deferred question gets a notice, and no model is asked for it', async () => {
  const { app, ports, ask, clock, says, close } = await setUp()
  says([failure('throttled')])
  const { sessionId, principal } = await ask('ベルセルクは？')
  await clock.advance(config.deferred.waitMs + 60_000)
  const { turns } = await app.session(principal, sessionId)
  assert.deepEqual(
    turns.map(({ finishReason, tier }) => [finishReason, tier]),
    [
      ['deferred', 'message'],
      ['stop', 'message'],
    ],
  )
  assert.equal(await ports.deferred.count(), 0)
  await close()
})

test('a deferred question without budget gets a notice when a model is available', async () => {
  const { app, ports, ask, clock, says, close } = await setUp()
  says([failure('throttled')])
  const { sessionId, principal } = await ask('ベルセルクは？')
  // The day's budget is used up meanwhile.
  const plenty = { inputTokens: 10 ** 9, outputTokens: 10 ** 9, costMicroUsd: 0 }
  const spent = await ports.budgets.admit({
    turnId: 'turn_other',
    principalId: principal.id,
    sessionId: 'sess_other',
    limits: { ...tierLimits(config, principal.tier), session: NO_SESSION_LIMIT },
    day: dayOf(clock.now(), config.store.timeZone),
    idempotency: { key: 'other', fingerprint: 'other', claimMs: 0 },
    ask: plenty,
    leaseMs: 10 ** 9,
  })
  assert.equal(spent.kind, 'granted')
  says(answering('はい。'))
  await clock.advance(config.deferred.waitMs + 60_000)
  const { turns } = await app.session(principal, sessionId)
  assert.deepEqual(
    turns.map(({ finishReason, tier }) => [finishReason, tier]),
    [
      ['deferred', 'message'],
      ['stop', 'message'],
    ],
  )
  assert.equal(await ports.deferred.count(), 0)
  await close()
})
