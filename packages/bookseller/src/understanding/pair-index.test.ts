// Texts are found by the pairs of letters that they share with another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PairIndexBuilder } from './pair-index.ts'

function indexOf(texts: readonly string[]) {
  const builder = new PairIndexBuilder()
  for (const text of texts) builder.add(text)
  return builder.index()
}

test('a text is found when it shares enough of its different pairs', () => {
  const index = indexOf(['abcd', 'xyz', 'ababab'])
  assert.deepEqual(index.sharing('..abcd..', 0.5), [
    { text: 0, shared: 3, own: 3 },
    { text: 2, shared: 1, own: 2 },
  ])
  assert.deepEqual(index.sharing('ab', 0.5), [{ text: 2, shared: 1, own: 2 }])
})

test('one question leaves nothing behind for the next', () => {
  const index = indexOf(['abcd', 'bcde'])
  const first = index.sharing('abcde', 0.1)
  assert.deepEqual(index.sharing('abcde', 0.1), first)
  assert.deepEqual(index.sharing('', 0.1), [])
})

test('pairs that too many texts have are not counted', () => {
  const index = indexOf([...Array.from({ length: 1501 }, () => 'no'), 'nobel'])
  assert.deepEqual(index.sharing('no', 0.1), [])
  assert.deepEqual(index.sharing('nobel', 0.9), [{ text: 1501, shared: 3, own: 3 }])
})
