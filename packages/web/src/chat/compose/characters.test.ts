// The room that is left for a message, near its limit and beyond it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { MESSAGE_CODE_POINTS_MAX } from '@mangaassist/protocol'
import { charactersMax, roomFor } from './characters.ts'

test('the limit is the protocol’s', () => {
  assert.equal(charactersMax, MESSAGE_CODE_POINTS_MAX)
})

test('room is shown from four fifths on, in characters and not in units of the encoding', () => {
  assert.equal(roomFor('あ'.repeat(3999), undefined), undefined)
  assert.deepEqual(roomFor('あ'.repeat(4000), undefined), { word: 'charactersLeft', n: 1000 })
  assert.equal(roomFor('😀'.repeat(2100), undefined), undefined)
  assert.deepEqual(roomFor('😀'.repeat(5001), undefined), { word: 'charactersOver', n: 1 })
  assert.deepEqual(roomFor('あ'.repeat(90), 100), { word: 'charactersLeft', n: 10 })
})
