// Which words of a text count, in both languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallVectors } from '../../test/fixtures/small-vectors.ts'
import { contentWords } from './content-words.ts'

const words = (text: string) => contentWords(text, smallVectors()).map(({ word }) => word)

test('English words are found without endings, fillers are not words', () => {
  assert.deepEqual(words('The pirates, who SAILED with a cook’s boys'), ['pirate', 'sail', 'cook', 'boy'])
})

test('Japanese is cut by the longest known word, inflected or not', () => {
  assert.deepEqual(words('料理人の海賊'), ['料理人', '海賊'])
  assert.deepEqual(words('泣いた少年'), ['泣', '少年'])
})

test('full-width letters and a text without words', () => {
  assert.deepEqual(words('ＰＩＲＡＴＥ'), ['pirate'])
  assert.deepEqual(words('!? 123 xyzzy'), [])
})
