// A day is compared with the ledger before anything is granted from it, once in each epoch of the store's data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALLOWANCE, degradedNode, EPOCH, LIMITS } from '#fixtures/budgets/degraded-node.ts'
import { amounts, granted, quotaOf } from '#fixtures/budgets/budgets.ts'
import { sampleAsk, sampleLedgerRow, TODAY } from '#fixtures/turns/samples.ts'
import { resilientBudgets } from './budgets.ts'

const USED = amounts(400, 100, 6000)
const ofToday = { principalId: 'guest_1', day: TODAY, messages: 0 }
const turn = (number: number) => ({
  turnId: `turn_${number}`,
  sessionId: `sess_${number}`,
  limits: LIMITS,
  idempotency: { ...sampleAsk().idempotency, key: `key_${number}` },
})
const row = (turnId: string, inputTokens: number, day: string = TODAY.key) =>
  sampleLedgerRow({ turnId, sessionId: 'sess_old', day, inputTokens, outputTokens: 1000, costMicroUsd: 50 })

/** A node whose store has lost the day since it was compared. */
async function setUp() {
  const node = degradedNode(resilientBudgets)
  await node.books.markCompared({ ...ofToday, epoch: 'before' })
  return node
}

test('a day that the store has lost is charged from the ledger before the first grant, each turn once', async () => {
  const { books, ledger, budgets, telemetry } = await setUp()
  await ledger.record([row('turn_a', 4000), { ...row('turn_a', 4000), attempt: 2 }, row('turn_b', 1500)])
  const hold = await granted(budgets, turn(1))
  assert.equal(hold.granted.inputTokens, 500, 'the rest of 10,000')
  assert.deepEqual((await quotaOf(books)).used, amounts(9500, 3000, 150))
  assert.equal(telemetry.logged.filter(({ event }) => event === 'budget.day-rebuilt').length, 1)
  await budgets.settle({ ...hold, id: 'turn_a' }, USED, { claimMs: 0 })
  assert.deepEqual((await quotaOf(books)).used, amounts(9500, 3000, 150), 'a late settlement charges nothing')
})

test('of a day in an old state only what is missing is charged, and a reset by an operator stays', async () => {
  const { books, ledger, budgets } = await setUp()
  await books.settle({ ...(await granted(books, turn(1))) }, amounts(4000, 1000, 50))
  await ledger.record([row('turn_1', 4000), row('turn_2', 1500)])
  await granted(budgets, turn(3))
  assert.deepEqual((await quotaOf(books)).used, amounts(5500, 2000, 100))
  await books.reset({ principalId: 'guest_1', day: TODAY })
  await books.markCompared({ ...ofToday, epoch: 'before' })
  await granted(budgets, turn(4))
  assert.deepEqual((await quotaOf(books)).used, amounts(0, 0, 0))
})

test('a day that was compared in this epoch is not compared again, by any node', async () => {
  const { books, ledger, budgets } = degradedNode(resilientBudgets)
  await ledger.record([row('turn_a', 4000)])
  await granted(budgets, turn(1))
  assert.deepEqual((await quotaOf(books)).used, amounts(0, 0, 0))
})

test('what a conversation used yesterday counts again', async () => {
  const { ledger, budgets } = await setUp()
  const before = { ...row('turn_a', 700, '2026-11-03'), sessionId: 'sess_1' }
  await ledger.record([before, { ...row('turn_b', 300), sessionId: 'sess_1' }])
  const answer = await budgets.admit(sampleAsk({ ...turn(1) }))
  assert.ok(answer.kind === 'granted')
  assert.deepEqual(answer.quota.conversation?.used, { inputTokens: 1000, outputTokens: 2000 })
  assert.equal(answer.quota.used.inputTokens, 300)
})

test('the messages of the day count again', async () => {
  const { ledger, budgets } = await setUp()
  await ledger.record([row('turn_a', 1), row('turn_b', 1)])
  const answer = await budgets.admit(sampleAsk({ ...turn(1), limits: { ...LIMITS, messagesPerDay: 2 } }))
  assert.deepEqual([answer.kind, 'scope' in answer && answer.scope], ['rate-limited', 'messages-per-day'])
})

test('many questions at once wait for one comparison', async () => {
  const { books, ledger, budgets } = await setUp()
  let reads = 0
  const rows = ledger.rows.bind(ledger)
  ledger.rows = (filter) => {
    reads += 1
    return rows(filter)
  }
  await ledger.record([row('turn_a', 9400)])
  const asked = Array.from({ length: 30 }, (_, index) => budgets.admit(sampleAsk(turn(index))))
  const kinds = (await Promise.all(asked)).map(({ kind }) => kind)
  assert.deepEqual([kinds.filter((kind) => kind === 'granted').length, reads], [1, 1])
  assert.ok((await quotaOf(books)).used.inputTokens === 9400)
})

test('while the ledger is unavailable only the allowance is granted, and afterwards the day is compared', async () => {
  const { books, budgets, ledger, ledgerStore, telemetry } = await setUp()
  await ledger.record([row('turn_a', 9400)])
  ledgerStore.isUnavailable = true
  const first = await granted(budgets, turn(1))
  assert.ok(first.granted.inputTokens <= ALLOWANCE.perUser.inputTokens)
  await budgets.settle(first, first.granted, { claimMs: 0 })
  assert.equal(await budgets.extend(first, amounts(9000, 10, 10), LIMITS), false)
  let sum = first.granted.inputTokens
  for (let number = 2; number < 20; number += 1) {
    const answer = await budgets.admit(sampleAsk(turn(number)))
    if (answer.kind === 'unavailable') break
    assert.ok(answer.kind === 'granted')
    assert.deepEqual(answer.quota.limit, LIMITS.day)
    sum += answer.hold.granted.inputTokens
  }
  assert.equal(sum, ALLOWANCE.perUser.inputTokens)
  assert.equal((await budgets.admit(sampleAsk(turn(30)))).kind, 'unavailable', 'its day is not known to be used up')
  assert.ok(telemetry.counted.some(({ name }) => name === 'budget_uncompared_granted_total'))
  ledgerStore.isUnavailable = false
  assert.equal((await budgets.admit(sampleAsk(turn(31)))).kind, 'quota-exceeded')
  assert.equal((await quotaOf(books)).used.inputTokens, 9400 + first.granted.inputTokens)
  assert.ok(!telemetry.logged.some(({ event }) => event === 'budget.standalone-began'), 'the budgets were available')
})

test('a turn that was granted from the allowance is extended within it', async () => {
  const { budgets, ledgerStore } = await setUp()
  ledgerStore.isUnavailable = true
  const hold = await granted(budgets, turn(1))
  assert.equal(await budgets.extend(hold, { ...hold.granted, inputTokens: 2900 }, LIMITS), true)
  assert.equal(await budgets.extend(hold, { ...hold.granted, inputTokens: 3100 }, LIMITS), false)
})

test('shared accounts and the shop have no day to compare', async () => {
  const { budgets, ledgerStore, telemetry } = await setUp()
  ledgerStore.isUnavailable = true
  await granted(budgets, { ...turn(1), principalId: 'net_1', users: 5 })
  await granted(budgets, { ...turn(2), principalId: 'shop' })
  assert.equal(telemetry.counted.length, 0)
  assert.equal(EPOCH, 'epoch_1')
})
