// A quota gives what it has, refills steadily, and is given back what was taken too much.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenQuota } from './token-quota.ts'

const quota = () => new TokenQuota({ tokensPerMinute: 60_000, burstMs: 5000 }, 0)

test('it holds a few seconds of its rate, and no more after a rest', () => {
  const tokens = quota()
  assert.equal(tokens.take(5000, 0, 1), 0)
  assert.equal(tokens.left(0, 1), 0)
  assert.equal(tokens.left(2000, 1), 2000)
  assert.equal(tokens.left(60_000, 1), 5000)
})

test('what cannot be taken is told with the wait, and takes nothing', () => {
  const tokens = quota()
  tokens.take(4500, 0, 1)
  assert.equal(tokens.take(1000, 0, 1), 500)
  assert.equal(tokens.left(0, 1), 500)
  assert.equal(tokens.take(1000, 500, 1), 0)
})

test('settling gives back what was not used', () => {
  const tokens = quota()
  tokens.take(3000, 0, 1)
  tokens.settle(3000 - 800, 0, 1)
  assert.equal(tokens.left(0, 1), 4200)
  tokens.settle(3000, 0, 1)
  assert.equal(tokens.left(0, 1), 5000)
})

test('a share of the quota refills and holds that share, none of it lets nothing pass', () => {
  const tokens = quota()
  assert.equal(tokens.left(0, 0.2), 1000)
  tokens.take(1000, 0, 0.2)
  assert.equal(tokens.left(1000, 0.2), 200)
  assert.equal(tokens.left(2000, 1), 1200)
  assert.equal(tokens.take(1, 2000, 0), 60_000)
  assert.equal(tokens.take(0, 2000, 0), 60_000)
})

test('a call larger than the whole quota passes when it is full, and is paid off', () => {
  const tokens = quota()
  assert.equal(tokens.take(8000, 0, 1), 0)
  assert.equal(tokens.left(0, 1), -3000)
  assert.equal(tokens.take(1000, 0, 1), 4000)
})
