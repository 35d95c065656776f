// Cursors come back as they were, and what is none of ours is known for that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromCursor, toCursor } from './cursor.ts'

test('what was put into a cursor comes out of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), (text, number) => {
      const cursor = toCursor([text, number])
      assert.match(cursor, /^[\w-]+$/)
      assert.deepEqual(fromCursor(cursor, ['string', 'number']), [text, number])
    }),
  )
})

test('another shape, or a word that somebody made up, is no cursor', () => {
  assert.equal(fromCursor(toCursor(['a']), ['string', 'number']), undefined)
  assert.equal(fromCursor(toCursor([1, 'a']), ['string', 'number']), undefined)
  fc.assert(fc.property(fc.string(), (text) => void fromCursor(text, ['string'])))
  assert.equal(fromCursor('xyz', ['string']), undefined)
})
