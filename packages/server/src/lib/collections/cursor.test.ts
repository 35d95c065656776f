// Cursors are read back as they were written, and any other text is rejected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromCursor, toCursor } from './cursor.ts'

test('a cursor gives back the values it was made of', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), (text, number) => {
      const cursor = toCursor([text, number])
      assert.match(cursor, /^[\w-]+$/)
      assert.deepEqual(fromCursor(cursor, ['string', 'number']), [text, number])
    }),
  )
})

test('a cursor of another shape and an invented text are rejected', () => {
  assert.equal(fromCursor(toCursor(['a']), ['string', 'number']), undefined)
  assert.equal(fromCursor(toCursor([1, 'a']), ['string', 'number']), undefined)
  fc.assert(fc.property(fc.string(), (text) => void fromCursor(text, ['string'])))
  assert.equal(fromCursor('xyz', ['string']), undefined)
})
