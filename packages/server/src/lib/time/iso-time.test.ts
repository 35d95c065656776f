// ISO time by arithmetic, compared with the platform's own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoTime } from './iso-time.ts'

test('every timestamp from 1970 to 2100 is written as the platform writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2101, 0, 1) - 1 }), (at) => {
      assert.equal(isoTime(at), new Date(at).toISOString())
    }),
    { numRuns: 2000 },
  )
})

test('leap days and the ends of years are right', () => {
  for (const text of [
    '2000-02-29T23:59:59.999Z',
    '2100-02-28T23:59:59.999Z',
    '2100-03-01T00:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
  ]) {
    assert.equal(isoTime(Date.parse(text)), text)
  }
})
