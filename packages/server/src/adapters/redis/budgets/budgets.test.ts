// Runs the contract of budgets on a real Redis, and checks expiry and slots of the keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetsComparedContract } from '#ports/budgets/compared.contract.ts'
import { budgetsContract } from '#ports/budgets/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { amounts, granted, guests, NOTHING } from '#fixtures/budgets/budgets.ts'
import type { MakeBudgets } from '#fixtures/budgets/budgets.ts'
import { redisBudgets } from './budgets.ts'

const redisFor = cleanRedis()

const make: MakeBudgets = async (context) => {
  const clock = manualClock()
  return { budgets: redisBudgets({ redis: await redisFor(context, clock) }), clock }
}
budgetsContract('redis shared state', make)
budgetsComparedContract('redis shared state', make)

test('redis budgets: every key expires, and all of a principal are on one slot', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const state = redisBudgets({ redis })
  const settled = await granted(state)
  await state.settle(settled, settled.granted, { claimMs: 30_000 })
  await state.release(await granted(state, { turnId: 'turn_2' }))
  await granted(state, { turnId: 'turn_3' })
  await state.narrow(guests('turn_3'), NOTHING)
  await state.renew(guests('turn_3'), 20_000)
  const lost = { ...settled, id: 'turn_lost', sessionId: 'sess_lost' }
  await state.settle(lost, NOTHING)
  const keys = (await redis.command(undefined, 'KEYS', '*')) as string[]
  assert.equal(keys.length, 10)
  for (const key of keys) {
    assert.ok(key.startsWith('{user:guest_1}:'))
    assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, `${key} expires`)
  }
})

test('redis budgets: counters expire two days after their day, the use of a session after two days', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const state = redisBudgets({ redis })
  await state.settle(await granted(state), NOTHING)
  const hoursLeft = async (name: string) =>
    Math.ceil(Number(await redis.command(name, 'PTTL', `{user:guest_1}:${name}`)) / 3_600_000)
  assert.deepEqual(await Promise.all(['account', 'turn:turn_1', 'session:sess_of_turn_1'].map(hoursLeft)), [60, 60, 48])
})

test('redis budgets: a refusal writes nothing', async (context) => {
  const redis = await redisFor(context, manualClock())
  const state = redisBudgets({ redis })
  const limits = sampleLimits({ requestsPerMinute: 1 })
  await granted(state, { sessionId: 'sess_1', limits })
  const writes = async () =>
    /rdb_changes_since_last_save:\d+/.exec(String(await redis.command(undefined, 'INFO', 'persistence')))?.[0]
  const before = await writes()
  const poor = sampleLimits({ day: NOTHING })
  const refusals = [
    { limits },
    { limits: poor },
    { sessionId: 'sess_1' },
    { idempotency: sampleAsk().idempotency },
    { idempotency: { ...sampleAsk().idempotency, fingerprint: 'another' } },
  ]
  const kinds = await Promise.all(
    refusals.map(async (over) => (await state.admit(sampleAsk({ turnId: 'turn_2', ...over }))).kind),
  )
  assert.deepEqual(kinds, ['rate-limited', 'quota-exceeded', 'session-busy', 'duplicate', 'key-reused'])
  assert.equal(await writes(), before)
})

test('redis budgets: time does not go back when a server with a slower clock takes over', async (context) => {
  let now = NOON
  const redis = await redisFor(context, { ...manualClock(), now: () => now })
  const state = redisBudgets({ redis })
  await granted(state, { sessionId: 'sess_1' })
  now += 10_000
  await granted(state, { turnId: 'turn_2' })
  now -= 5000
  assert.equal(await state.runningTurn(guests('sess_1')), undefined)
  assert.equal(await state.renew(guests('turn_1'), 10_000), false)
  assert.equal((await state.quota('guest_1', sampleLimits(), TODAY)).requestsPerMinute.resetMs, 50_000)
})

test('redis budgets: amounts that are not whole are refused before anything is written', async (context) => {
  const state = redisBudgets({ redis: await redisFor(context, manualClock()) })
  const hold = await granted(state)
  await assert.rejects(state.settle(hold, { ...NOTHING, costMicroUsd: 0.5 }, { claimMs: 0 }), RangeError)
  assert.deepEqual(await state.settle(hold, NOTHING, { claimMs: 0 }), { charged: true, overage: false })
})

test('redis budgets: a claim is found across the border of two storage periods', async (context) => {
  const spanMs = 48 * 3_600_000
  const clock = manualClock(Math.ceil(NOON / spanMs) * spanMs - 1000)
  const state = redisBudgets({ redis: await redisFor(context, clock) })
  const hold = await granted(state)
  const again = sampleAsk({ turnId: 'turn_2', idempotency: sampleAsk().idempotency })
  await clock.advance(2000)
  assert.equal((await state.admit(again)).kind, 'duplicate')
  await state.settle(hold, NOTHING, { claimMs: 30_000 })
  await clock.advance(29_999)
  assert.equal((await state.admit(again)).kind, 'duplicate')
  await state.forgetClaim(hold)
  assert.equal((await state.admit(again)).kind, 'granted')
})

test('redis budgets: sums of micro-dollars are exact to the unit, however large', async (context) => {
  const state = redisBudgets({ redis: await redisFor(context, manualClock()) })
  // Odd, and with as many digits as a safe integer has: a float printed with fewer digits would lose the last one.
  const most = 9_007_199_254_740_001
  const limits = sampleLimits({ day: { ...sampleLimits().day, costMicroUsd: most } })
  await state.settle(await granted(state, { limits, ask: amounts(1, 64, 2) }), amounts(1, 64, 2), { claimMs: 0 })
  const rest = await granted(state, { turnId: 'turn_2', limits, ask: amounts(1, 64, most) })
  assert.equal(rest.granted.costMicroUsd, most - 2)
  await state.settle(rest, rest.granted, { claimMs: 0 })
  assert.equal((await state.quota('guest_1', limits, TODAY)).used.costMicroUsd, most)
})
