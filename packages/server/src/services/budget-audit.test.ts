// The audit charges what is missing, once, and reports other differences without naming a user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { dayOf } from '#domain/budget/day.ts'
import { amounts, GENEROUS, granted } from '#fixtures/budgets/budgets.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { createBudgetAudit } from './budget-audit.ts'

const MINUTE_MS = 60_000

function setUp() {
  const clock = manualClock()
  const [ledger, budgets, telemetry] = [memoryLedger(), memoryBudgets({ clock }), memoryTelemetry()]
  const limits = { of: async () => GENEROUS }
  const day = dayOf(clock.now(), testConfig.store.timeZone)
  const audit = createBudgetAudit({ clock, config: testConfig, ledger, budgets, limits, telemetry })
  const turn = (number: number, principalId: string) => {
    const ids = { turnId: `turn_${number}`, sessionId: `sess_${number}`, principalId, day }
    return { ...ids, limits: GENEROUS, idempotency: { ...sampleAsk().idempotency, key: `key_${number}` } }
  }
  const record = (number: number, principalId = 'guest_1') => {
    const use = { inputTokens: 10, outputTokens: 5, costMicroUsd: 3, day: day.key, at: clock.now() }
    return ledger.record([sampleLedgerRow({ ...use, turnId: `turn_${number}`, principalId })])
  }
  const charge = async (number: number, principalId = 'guest_1') => {
    const hold = await granted(budgets, turn(number, principalId))
    await budgets.settle(hold, amounts(10, 5, 3), { claimMs: 0 })
  }
  const used = async (principalId = 'guest_1') => (await budgets.quota(principalId, GENEROUS, day)).used
  const results = () =>
    telemetry.counted.filter(({ name }) => name === 'budget_audit_total').map(({ fields }) => fields?.['outcome'])
  return { audit, budgets, charge, clock, day, record, results, telemetry, turn, used }
}

test('accounts that agree are counted, and nothing is logged', async () => {
  const { audit, charge, clock, record, results, telemetry } = setUp()
  for (const [number, user] of [
    [1, 'guest_1'],
    [2, 'guest_1'],
    [3, 'guest_2'],
  ] as const) {
    await charge(number, user)
    await record(number, user)
  }
  await record(4, 'shop')
  await clock.advance(3 * MINUTE_MS)
  await audit()
  assert.deepEqual(results(), ['agrees', 'agrees'])
  assert.equal(telemetry.logged.length, 0)
})

test('a charge that is missing is made once, and a turn that ended just now or is held is left alone', async () => {
  const { audit, budgets, charge, clock, record, results, telemetry, turn, used } = setUp()
  await charge(1)
  await record(1)
  await record(2)
  await granted(budgets, { ...turn(3, 'guest_1'), leaseMs: 10 * MINUTE_MS })
  await record(3)
  await clock.advance(3 * MINUTE_MS)
  await record(4)
  await audit()
  assert.deepEqual(await used(), amounts(20, 10, 6))
  assert.deepEqual(results(), ['charged'])
  const logged = telemetry.logged.filter(({ event }) => event === 'budget.audit-differs')
  assert.equal(logged.length, 1)
  assert.doesNotMatch(JSON.stringify(logged), /guest_1/)
  await budgets.settle({ ...(await granted(budgets, turn(3, 'guest_1'))) }, amounts(10, 5, 3))
  await charge(4)
  await clock.advance(3 * MINUTE_MS)
  await audit()
  assert.deepEqual(await used(), amounts(40, 20, 12))
  assert.deepEqual(results(), ['charged', 'agrees'])
})

test('a reset by an operator stays, and is reported as below', async () => {
  const { audit, budgets, charge, clock, day, record, results, used } = setUp()
  await charge(1)
  await record(1)
  await budgets.reset({ principalId: 'guest_1', day })
  await clock.advance(3 * MINUTE_MS)
  await audit()
  assert.deepEqual([results(), await used()], [['below'], amounts(0, 0, 0)])
})

test('charges without rows are reported when they are without rows a second time', async () => {
  const { audit, charge, clock, record, results } = setUp()
  await charge(1)
  await record(1)
  await charge(2)
  await clock.advance(3 * MINUTE_MS)
  await audit()
  await clock.advance(5 * MINUTE_MS)
  await audit()
  assert.deepEqual(results(), ['agrees', 'above'])
  await clock.advance(20 * MINUTE_MS)
  await audit()
  assert.equal(results().length, 2, 'nobody was answered lately')
})

test('an account above the ledger is looked at a second time, although its user was not answered since', async () => {
  const { audit, charge, clock, record, results } = setUp()
  await charge(1)
  await record(1)
  await charge(2)
  await clock.advance(13 * MINUTE_MS)
  await audit()
  await clock.advance(5 * MINUTE_MS)
  await audit()
  assert.deepEqual(results(), ['agrees', 'above'])
})
