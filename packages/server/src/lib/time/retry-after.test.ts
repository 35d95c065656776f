// Retry-After in the two forms of HTTP, and in none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { retryAfterMs } from './retry-after.ts'

const NOON = 1_793_761_200_000

test('seconds are seconds, whole or not', () => {
  assert.equal(retryAfterMs('7', NOON), 7000)
  assert.equal(retryAfterMs(' 0.25 ', NOON), 250)
})

test('a date is counted from now, and one that has passed is now', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50_000_000, max: 50_000_000 }), (seconds) => {
      const header = new Date(NOON + seconds * 1000).toUTCString()
      assert.equal(retryAfterMs(header, NOON), Math.max(0, seconds * 1000))
    }),
  )
})

test('what makes no sense says nothing', () => {
  for (const header of [undefined, '', 'soon', '-3', 'Wed, 31 Foo 2026 00:00:00 GMT']) {
    assert.equal(retryAfterMs(header, NOON), undefined)
  }
})
