// Labels of genres, moods and readerships, including those that only a catalogue has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GENRES, labelOf } from './vocabulary.ts'

test('a key that is not in the vocabulary is its own label, whatever it is', () => {
  assert.notEqual(labelOf(GENRES, 'sports', 'ja'), 'sports')
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'cooking-with-ghosts'])
    assert.equal(labelOf(GENRES, word, 'en'), word)
})
