// A quota grants what it has, refills steadily or by the minute, gets unused tokens back, and may charge for refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenQuota } from './token-quota.ts'
import type { TokenQuotaLimits } from './token-quota.ts'

const STEADY: TokenQuotaLimits = { tokensPerMinute: 60_000, grant: 'steady', burstMs: 5000, refusedShare: 0 }

const quota = (over: Partial<TokenQuotaLimits> = {}) => new TokenQuota({ ...STEADY, ...over }, 0)

test('it holds a few seconds of its rate, and no more after a quiet time', () => {
  const tokens = quota()
  assert.equal(tokens.take(5000, 0, 1), 0)
  assert.equal(tokens.left(0, 1), 0)
  assert.equal(tokens.left(2000, 1), 2000)
  assert.equal(tokens.left(60_000, 1), 5000)
})

test('a refused call gets its wait time and takes nothing', () => {
  const tokens = quota()
  tokens.take(4500, 0, 1)
  assert.equal(tokens.take(1000, 0, 1), 500)
  assert.equal(tokens.left(0, 1), 500)
  assert.equal(tokens.take(1000, 500, 1), 0)
})

test('settling returns unused tokens', () => {
  const tokens = quota()
  tokens.take(3000, 0, 1)
  tokens.settle(3000 - 800, 0, 1)
  assert.equal(tokens.left(0, 1), 4200)
  tokens.settle(3000, 0, 1)
  assert.equal(tokens.left(0, 1), 5000)
})

test('a reduced quota refills and holds that share, and a zero quota refuses everything', () => {
  const tokens = quota()
  assert.equal(tokens.left(0, 0.2), 1000)
  tokens.take(1000, 0, 0.2)
  assert.equal(tokens.left(1000, 0.2), 200)
  assert.equal(tokens.left(2000, 1), 1200)
  assert.equal(tokens.take(1, 2000, 0), 60_000)
  assert.equal(tokens.take(0, 2000, 0), 60_000)
})

test('a call larger than the whole quota passes when the quota is full, and leaves a debt', () => {
  const tokens = quota()
  assert.equal(tokens.take(8000, 0, 1), 0)
  assert.equal(tokens.left(0, 1), -3000)
  assert.equal(tokens.take(1000, 0, 1), 4000)
})

test('a quota by the minute grants a minute at once and nothing more until the next, however long no call comes', () => {
  const tokens = quota({ grant: 'minute' })
  assert.equal(tokens.take(60_000, 1000, 1), 0)
  assert.equal(tokens.left(59_999, 1), 0)
  assert.equal(tokens.take(1, 20_000, 1), 40_000)
  assert.equal(tokens.left(60_000, 1), 60_000)
  assert.equal(tokens.left(600_000, 1), 60_000)
})

test('a quota by the minute gets unused tokens back in the minute in which the call ends', () => {
  const tokens = quota({ grant: 'minute' })
  tokens.take(10_000, 50_000, 1)
  tokens.take(60_000, 60_000, 1)
  tokens.settle(9000, 61_000, 1)
  assert.equal(tokens.left(61_000, 1), 9000)
  tokens.settle(60_000, 62_000, 1)
  assert.equal(tokens.left(62_000, 1), 60_000)
})

test('a changed share of a quota by the minute applies to the running minute and counts what was taken before', () => {
  const tokens = quota({ grant: 'minute' })
  tokens.take(15_000, 10_000, 1)
  assert.equal(tokens.left(15_000, 0.2), -3000)
  // The next grant pays the overdraft.
  assert.equal(tokens.left(60_000, 0.2), 9000)
  tokens.take(9000, 61_000, 0.2)
  assert.equal(tokens.left(70_000, 1), 48_000)
})

test('a refused call costs its share, so that the time until the next grant grows with every refusal', () => {
  const steady = quota({ refusedShare: 0.5 })
  steady.take(5000, 0, 1)
  assert.deepEqual([steady.take(1000, 0, 1), steady.take(1000, 0, 1)], [1500, 2000])
  assert.equal(steady.left(0, 1), -1000)
  assert.equal(steady.left(2000, 1), 1000)

  const byMinute = quota({ grant: 'minute', refusedShare: 0.5 })
  byMinute.take(60_000, 0, 1)
  assert.equal(byMinute.take(40_000, 0, 1), 60_000)
  assert.equal(byMinute.take(40_000, 0, 1), 120_000)
  assert.deepEqual([byMinute.left(60_000, 1), byMinute.left(120_000, 1)], [20_000, 60_000])
})

test('a call refused by a quota of zero is charged as well', () => {
  const tokens = quota({ refusedShare: 0.5 })
  assert.equal(tokens.take(1000, 0, 0), 60_000)
  assert.equal(tokens.left(500, 1), 0)
})
