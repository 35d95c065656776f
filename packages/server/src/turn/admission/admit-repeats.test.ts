// Admission of possible repeats: a key is answered once, whatever the store and the nodes do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { admitOver, admitted, refusal, setUpAdmission as setUp } from '#fixtures/turns/admission.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { withVerbs } from '#fixtures/stores/ports.ts'
import { sampleSession } from '#fixtures/turns/samples.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'

const keyed = { idempotencyKey: 'k1' }

test('for a possible repeat the store is asked until the first word is promised, then the request is refused', async () => {
  const { ports } = await setUp()
  const asked: string[] = []
  const state = withVerbs(ports.budgets, {
    async admit({ repeat = 'first' }) {
      asked.push(repeat)
      return { kind: 'unavailable', retryAfterMs: repeat === 'first' ? 5000 : 250 }
    },
  })
  const admit = admitOver({ ...ports, budgets: state })
  const unavailable = refusal('MAINTENANCE', { reason: 'state-unavailable' })
  const waited = (error: unknown) => unavailable(error) && (error as Refusal).retryAfterMs === 1000
  for (const over of [keyed, { ...keyed, attempt: 2 }]) {
    const answer = assert.rejects(admit(sampleReceived(over)), waited)
    await ports.clock.advance(testConfig.answers.firstWordMs)
    await answer
  }
  assert.ok(asked.length > 20)
  assert.deepEqual(new Set(asked), new Set(['possible', 'certain']))
  asked.length = 0
  for (const over of [{ ...keyed, attempt: 1 }, {}]) await assert.rejects(admit(sampleReceived(over)), unavailable)
  assert.deepEqual(asked, ['first', 'first'], 'of a first sending nobody else can know')
})

test('a repeat joins its turn when the store answers again, also where the key could not be looked up before', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit, { ...keyed, attempt: 1 })
  let failures = 3
  const turnLog = withVerbs(ports.turnLog, {
    async start(turnId) {
      failures -= 1
      if (failures >= 0) throw new StoreUnavailable('late')
      return ports.turnLog.start(turnId)
    },
  })
  const again = admitOver({ ...ports, turnLog })(sampleReceived({ ...keyed, attempt: 2 }))
  await ports.clock.advance(1000)
  assert.deepEqual(await again, { kind: 'duplicate', turnId: start.turnId, sessionId: start.sessionId })
})

test('a repeat waits for a log that comes later than its claim: its owner may only have lost its store', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admitted(admit, { ...keyed, attempt: 1 })
  const openAt = ports.clock.now() + 5000
  const turnLog = withVerbs(ports.turnLog, {
    start: async (turnId) => (ports.clock.now() < openAt ? undefined : ports.turnLog.start(turnId)),
  })
  const joined = admitOver({ ...ports, turnLog })(sampleReceived({ ...keyed, attempt: 2 }))
  await ports.clock.advance(6000)
  assert.deepEqual(await joined, { kind: 'duplicate', turnId: start.turnId, sessionId: start.sessionId })
})

test('a settled turn is never admitted again because its log is missing', async () => {
  const { ports, admit, quota } = await setUp()
  const { start } = await admitted(admit, { ...keyed, attempt: 1 })
  await ports.budgets.settle(start.hold, { inputTokens: 100, outputTokens: 50, costMicroUsd: 0 }, { claimMs: 30_000 })
  const withoutLog = withVerbs(ports.turnLog, { start: async () => undefined })
  const again = admitOver({ ...ports, turnLog: withoutLog })(sampleReceived({ ...keyed, attempt: 2 }))
  const refused = assert.rejects(again, refusal('MAINTENANCE', { reason: 'state-unavailable' }))
  await ports.clock.advance(20_000)
  await refused
  assert.equal((await quota()).reserved.outputTokens, 0)
  const joined = await admit(sampleReceived({ ...keyed, attempt: 3 }))
  assert.deepEqual(joined, { kind: 'duplicate', turnId: start.turnId, sessionId: start.sessionId })
})

/** An owner that waits this long for the session between its grant and its log. */
async function slowOwner(waitMs: number) {
  const { ports, admit, quota } = await setUp()
  await ports.sessions.create(sampleSession({ principalId: GUEST.id }))
  let reads = 0
  const sessions = withVerbs(ports.sessions, {
    async find(id) {
      reads += 1
      if (reads === 2) await ports.clock.sleep(waitMs)
      return ports.sessions.find(id)
    },
  })
  const question = { ...keyed, sessionId: sampleSession().id }
  const first = admitOver({ ...ports, sessions })(sampleReceived({ ...question, attempt: 1 }))
  await ports.clock.advance(0)
  return { admit, first, ports, question, quota }
}

test('an owner considered dead before its log was open joins the turn that replaced its own', async () => {
  const { admit, first, ports, question, quota } = await slowOwner(10_000)
  const second = admit(sampleReceived({ ...question, attempt: 2 }))
  await ports.clock.advance(11_000)
  const [late, taken] = await Promise.all([first, second])
  assert.ok(taken.kind === 'admitted')
  const { sessionId, turnId } = taken.turn.start
  assert.deepEqual(late, { kind: 'duplicate', turnId, sessionId })
  assert.equal((await quota()).reserved.outputTokens, 512)
})

test('a late owner that was not considered dead continues its turn', async () => {
  const { admit, first, ports, question, quota } = await slowOwner(5000)
  const second = admit(sampleReceived({ ...question, attempt: 2 }))
  await ports.clock.advance(6000)
  const [late, joined] = await Promise.all([first, second])
  assert.ok(late.kind === 'admitted' && joined.kind === 'duplicate')
  assert.equal(joined.turnId, late.turn.start.turnId)
  assert.equal((await quota()).reserved.outputTokens, 512)
})

test('a first sending that a slow node may no longer grant alone is treated as a repeat', async () => {
  const { ports } = await setUp()
  const asked: (string | undefined)[] = []
  const state = withVerbs(ports.budgets, {
    async admit(ask) {
      asked.push(ask.repeat)
      return asked.length < 3 ? { kind: 'unavailable', retryAfterMs: 250 } : ports.budgets.admit(ask)
    },
  })
  const answer = admitOver({ ...ports, budgets: state })(sampleReceived({ ...keyed, attempt: 1 }))
  await ports.clock.advance(1000)
  assert.equal((await answer).kind, 'admitted')
  assert.deepEqual(asked, [undefined, 'certain', 'certain'])
})
