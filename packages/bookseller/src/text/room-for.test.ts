// Arrays that grow keep what they have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roomFor } from './room-for.ts'

test('an array that is long enough is kept, and another is copied into one of twice the length', () => {
  const array = Uint16Array.of(1, 2, 3)
  assert.equal(roomFor(array, 3), array)
  assert.deepEqual(roomFor(array, 4), Uint16Array.of(1, 2, 3, 0, 0, 0))
  assert.equal(roomFor(array, 100).length, 100)
})
