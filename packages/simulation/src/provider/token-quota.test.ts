// A quota grants what it has, refills steadily, and gets unused tokens back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenQuota } from './token-quota.ts'

const quota = () => new TokenQuota({ tokensPerMinute: 60_000, burstMs: 5000 }, 0)

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
