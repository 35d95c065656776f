// A sliding-window quota: reserved at the start, settled at the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Quota } from './quota.ts'

test('used tokens are available again after the window', () => {
  const quota = new Quota({ tokens: 100, windowMs: 1000 })
  quota.take(0, 60)
  quota.take(300, 40)
  assert.equal(quota.waitMs(500, 1), 500)
  assert.equal(quota.waitMs(500, 61), 800)
  assert.equal(quota.waitMs(1000, 60), 0)
})

test('settling returns unused tokens at once', () => {
  const quota = new Quota({ tokens: 100, windowMs: 1000 })
  const settle = quota.take(0, 100)
  assert.equal(quota.waitMs(1, 10), 999)
  settle(90)
  assert.equal(quota.waitMs(1, 10), 0)
})

test('a request larger than the whole quota gets a wait of one window and never fits', () => {
  const quota = new Quota({ tokens: 100, windowMs: 1000 })
  assert.equal(quota.waitMs(0, 101), 1000)
})
