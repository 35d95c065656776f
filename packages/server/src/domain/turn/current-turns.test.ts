// Leaves replaced turns out of a conversation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentTurns, replacedChain, replacements } from './current-turns.ts'

const a = { turnId: 'a' }
const b = { turnId: 'b', replaces: 'a' }
const c = { turnId: 'c', replaces: 'b' }
const d = { turnId: 'd' }

test('of a chain of replacements only the last turn counts', () => {
  assert.deepEqual(currentTurns([a, d, b, c]), [d, c])
})

test('the turn that is replaced now does not count either', () => {
  assert.deepEqual(currentTurns([a, d, b], 'b'), [d])
  assert.deepEqual(currentTurns([a, d], 'd'), [a])
})

test('a replacement of a turn that is not there changes nothing', () => {
  assert.deepEqual(currentTurns([b, d], 'unknown'), [b, d])
})

test('each replaced turn leads to the one in its place', () => {
  assert.deepEqual(
    [...replacements([a, d, b, c])],
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
  )
})

test('the chain of a turn leads back to the first that was asked', () => {
  assert.deepEqual(replacedChain([a, d, b, c], 'c'), [c, b, a])
  assert.deepEqual(replacedChain([d, b], 'b'), [b])
  assert.deepEqual(replacedChain([a, d], undefined), [])
})
