// Timestamps in text: read as `Date` reads them; anything else is rejected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromIsoTime } from './from-iso-time.ts'

test('every timestamp is read as it was written, in any time zone', () => {
  const min = new Date('1900-01-01T00:00:00Z')
  const max = new Date('2999-12-31T23:59:59Z')
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      assert.equal(fromIsoTime(date.toISOString()), date.getTime())
    }),
  )
  assert.equal(fromIsoTime('2026-11-05T00:00+09:00'), Date.UTC(2026, 10, 4, 15))
  assert.equal(fromIsoTime('2026-11-05T00:00:00.25-02:30'), Date.UTC(2026, 10, 5, 2, 30, 0, 250))
})

test('a text that is not a valid timestamp gives undefined', () => {
  for (const text of [
    '',
    'soon',
    '2026-11-05',
    '2026-11-05T00:00',
    '2026-02-29T00:00Z',
    '2026-13-01T00:00Z',
    '2026-01-01T24:00Z',
  ])
    assert.equal(fromIsoTime(text), undefined, text)
  assert.notEqual(fromIsoTime('2028-02-29T00:00Z'), undefined)
})
