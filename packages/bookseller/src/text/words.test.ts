// Words are compared as whole words in both languages, without regard to width and case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsPhrase, fold, wordsOf } from './words.ts'

const contains = (text: string, phrase: string, language: 'ja' | 'en') =>
  containsPhrase(wordsOf(text, language), wordsOf(phrase, language))

test('a short word is not found inside a longer one', () => {
  assert.equal(contains('a good novel', 'no', 'en'), false)
  assert.equal(contains('No, thank you', 'no', 'en'), true)
  assert.equal(contains('はいからさんが通る', 'はい', 'ja'), false)
  assert.equal(contains('はい、お願いします', 'はい', 'ja'), true)
})

test('a phrase matches only as consecutive words', () => {
  assert.equal(contains('Thank you so much', 'thank you', 'en'), true)
  assert.equal(contains('thank the author for you', 'thank you', 'en'), false)
  assert.equal(contains('送料無料ですか', '送料無料', 'ja'), true)
  assert.equal(contains('anything', '', 'en'), false)
})

test('width and case do not matter', () => {
  assert.equal(fold('ＯＮＥ ﾋﾟｰｽ'), 'one ピース')
  assert.equal(contains('ＳＨＩＰＰＩＮＧ？', 'shipping', 'en'), true)
  assert.equal(contains('ﾍﾞﾙｾﾙｸはありますか', 'ベルセルク', 'ja'), true)
})

test('words that the segmenter knows are not joined', () => {
  assert.deepEqual(wordsOf('送料はいくらですか', 'ja').slice(0, 1), ['送料'])
  assert.equal(contains('どうもありがとうございます', 'ありがとう', 'ja'), true)
})

test('a particle is not joined to the word before it', () => {
  assert.deepEqual(wordsOf('はいからさんが通る', 'ja'), ['はいからさん', 'が', '通る'])
})
