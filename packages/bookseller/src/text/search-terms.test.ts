// The terms by which a text is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTerms } from './search-terms.ts'

test('the terms are pairs of characters for Japanese, and words for English', () => {
  const terms = new Set(searchTerms('鬼滅の刃と One Piece'))
  for (const term of ['鬼滅', '滅の', 'の刃', 'one', 'piece']) assert.ok(terms.has(term), term)
  assert.ok(!terms.has('on'))
})

test('width and case do not matter', () => {
  assert.deepEqual(searchTerms('ﾜﾝﾋﾟｰｽ ＯＮＥ'), searchTerms('ワンピース one'))
})

test('fillers and words that fit every product are not terms', () => {
  assert.deepEqual(searchTerms('do you have the'), [])
  assert.deepEqual(searchTerms('a good manga series'), [])
  assert.deepEqual(searchTerms('漫画 おすすめ'), [])
  assert.deepEqual(searchTerms('?!'), [])
})

test('sounds of hesitation are not terms', () => {
  for (const hesitation of ['んー🤔', 'えー', 'うー']) assert.deepEqual(searchTerms(hesitation), [], hesitation)
})

test('a name in hiragana is a term, although the segmenter splits it', () => {
  assert.ok(searchTerms('よつばとの新刊').includes('よつば'))
  assert.ok(searchTerms('よつばと!').includes('よつば'))
})

test('singular and plural are the same term', () => {
  assert.deepEqual(searchTerms('pirates and robots'), searchTerms('pirate robot'))
  // An s that is part of the word stays.
  assert.deepEqual(searchTerms('bus glass'), ['bus', 'glass'])
})
