// Repeated questions on a node whose store may be unavailable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { degradedNode, LIMITS } from '#fixtures/budgets/degraded-node.ts'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, granted, guests, NOTHING, quotaOf } from '#fixtures/budgets/budgets.ts'
import { resilientBudgets } from './budgets.ts'

const setUp = (allowance?: Parameters<typeof degradedNode>[1]) => degradedNode(resilientBudgets, allowance)

const turn = (number: number) => ({ turnId: `turn_${number}`, limits: LIMITS })
const USED = amounts(400, 100, 6000)
const { idempotency } = sampleAsk()
const keyed = (number: number) => ({ ...turn(number), idempotency })
const repeated = (repeat: 'possible' | 'certain', number: number) => ({ ...keyed(number), repeat })

test('a key whose answer was deleted during an outage can be used again afterwards, whether store or node granted it', async () => {
  for (const isGrantedAlone of [false, true]) {
    const { books, comeBack, budgets, store } = setUp()
    store.isUnavailable = isGrantedAlone
    const hold = await granted(budgets, keyed(1))
    store.isUnavailable = true
    await budgets.settle(hold, USED, { claimMs: 30_000 })
    await budgets.forgetClaim(guests('turn_1'))
    assert.equal(await budgets.claimed(sampleAsk(keyed(2))).catch(() => undefined), undefined)
    await comeBack()
    assert.equal(await books.claimed(sampleAsk(keyed(2))), undefined)
    assert.deepEqual((await quotaOf(books)).used, USED)
  }
})

test('a standalone node grants a first question and never one that may be a repeat', async () => {
  const { budgets, store } = setUp()
  store.isUnavailable = true
  for (const repeat of ['possible', 'certain'] as const)
    assert.deepEqual(await budgets.admit(sampleAsk(repeated(repeat, 1))), { kind: 'unavailable', retryAfterMs: 250 })
  await granted(budgets, keyed(2))
  const joined = await budgets.admit(sampleAsk(repeated('certain', 3)))
  assert.ok(joined.kind === 'duplicate' && joined.turnId === 'turn_2', 'the node knows its own grants')
})

test('the key of a standalone grant is in the store before another node can grant it again', async () => {
  const { books, clock, budgets, store } = setUp()
  store.isUnavailable = true
  await granted(budgets, keyed(1))
  assert.equal(await books.claimed(sampleAsk()), undefined)
  store.isUnavailable = false
  await clock.advance(250)
  const there = await books.admit(sampleAsk(repeated('certain', 2)))
  assert.deepEqual(there, { kind: 'duplicate', turnId: 'turn_1', sessionId: 'sess_of_turn_1' })
})

test('a repeat with an unknown key is granted by the store six seconds after its last failure', async () => {
  const { clock, budgets, store } = setUp()
  await clock.advance(60_000)
  store.isUnavailable = true
  await budgets.admit(sampleAsk(repeated('possible', 1)))
  store.isUnavailable = false
  for (const repeat of ['possible', 'certain'] as const)
    assert.equal((await budgets.admit(sampleAsk(repeated(repeat, 2)))).kind, 'unavailable')
  await clock.advance(6000)
  await granted(budgets, repeated('possible', 3))
})

test('a certain repeat waits for a claim that another node may be writing', async () => {
  const { books, clock, budgets } = setUp()
  await clock.advance(60_000)
  const asked = budgets.admit(sampleAsk(repeated('certain', 1)))
  await clock.advance(1400)
  const hold = { id: 'turn_9', principalId: 'guest_1', sessionId: 'sess_9', day: TODAY, granted: NOTHING }
  await books.claim(hold, idempotency)
  await clock.advance(100)
  assert.deepEqual(await asked, { kind: 'duplicate', turnId: 'turn_9', sessionId: 'sess_9' })
})

test('a process that has just started delays certain repeats, because earlier grants are unknown to it', async () => {
  const { clock, budgets } = setUp()
  assert.equal((await budgets.admit(sampleAsk(repeated('certain', 1)))).kind, 'unavailable')
  await granted(budgets, repeated('possible', 2))
  await budgets.release(guests('turn_2'))
  await clock.advance(6000)
  const asked = budgets.admit(sampleAsk(repeated('certain', 3)))
  await clock.advance(1500)
  assert.equal((await asked).kind, 'granted')
})

test('one unanswered call does not make a node standalone: the store is asked once more', async () => {
  const { books, clock, budgets, store, telemetry } = setUp()
  store.isUnavailable = true
  const asked = budgets.admit(sampleAsk(turn(1)))
  store.isUnavailable = false
  assert.equal((await asked).kind, 'granted')
  assert.equal(await books.runningTurn(guests('sess_of_turn_1')), 'turn_1')
  assert.ok(!telemetry.counted.some(({ name }) => name === 'budget_standalone_granted_total'))
  assert.equal(clock.timers(), 0)
})

test('a turn that was granted standalone and released leaves no claim behind', async () => {
  const { books, comeBack, budgets, store } = setUp()
  store.isUnavailable = true
  const hold = await granted(budgets, keyed(1))
  store.isUnavailable = false
  await budgets.release(hold)
  await comeBack()
  assert.equal(await books.claimed(sampleAsk()), undefined)
})

test('a slow node does not grant an old question standalone: another node may have granted its repeat since', async () => {
  const { clock, budgets, store } = setUp()
  store.isUnavailable = true
  const arrivedAt = clock.now()
  await clock.advance(1001)
  assert.equal((await budgets.admit(sampleAsk({ ...turn(1), arrivedAt }))).kind, 'unavailable')
  await granted(budgets, { ...turn(2), arrivedAt: clock.now() - 1000 })
})
