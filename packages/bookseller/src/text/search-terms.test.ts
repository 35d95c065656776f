// What a text is found by.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTerms } from './search-terms.ts'

test('Japanese is found by its pairs of characters, English by its words', () => {
  const terms = new Set(searchTerms('鬼滅の刃と One Piece'))
  for (const term of ['鬼滅', '滅の', 'の刃', 'one', 'piece']) assert.ok(terms.has(term), term)
  assert.ok(!terms.has('on'))
})

test('width and case do not matter', () => {
  assert.deepEqual(searchTerms('ﾜﾝﾋﾟｰｽ ＯＮＥ'), searchTerms('ワンピース one'))
})

test('fillers, and what everything in the shop is, are no terms', () => {
  assert.deepEqual(searchTerms('do you have the'), [])
  assert.deepEqual(searchTerms('a good manga series'), [])
  assert.deepEqual(searchTerms('漫画 おすすめ'), [])
  assert.deepEqual(searchTerms('?!'), [])
})

test('one who thinks aloud asks for nothing', () => {
  for (const hesitation of ['んー🤔', 'えー', 'うー']) assert.deepEqual(searchTerms(hesitation), [], hesitation)
})

test('a name in hiragana is a term, though the dictionary cuts it into bits', () => {
  assert.ok(searchTerms('よつばとの新刊').includes('よつば'))
  assert.ok(searchTerms('よつばと!').includes('よつば'))
})

test('one and many are the same thing', () => {
  assert.deepEqual(searchTerms('pirates and robots'), searchTerms('pirate robot'))
  // An s that belongs to the word stays.
  assert.deepEqual(searchTerms('bus glass'), ['bus', 'glass'])
})
