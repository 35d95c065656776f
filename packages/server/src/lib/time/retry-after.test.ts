// Retry-After in the two forms of HTTP, and invalid values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { retryAfterMs } from './retry-after.ts'

const NOON = 1_793_761_200_000

test('a number is read as seconds, whole or fractional', () => {
  assert.equal(retryAfterMs('7', NOON), 7000)
  assert.equal(retryAfterMs(' 0.25 ', NOON), 250)
})

test('a date gives the time from now, and a past date gives 0', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50_000_000, max: 50_000_000 }), (seconds) => {
      const header = new Date(NOON + seconds * 1000).toUTCString()
      assert.equal(retryAfterMs(header, NOON), Math.max(0, seconds * 1000))
    }),
  )
})

test('an invalid header gives undefined', () => {
  for (const header of [undefined, '', 'soon', '-3', 'Wed, 31 Foo 2026 00:00:00 GMT']) {
    assert.equal(retryAfterMs(header, NOON), undefined)
  }
})
