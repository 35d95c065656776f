// What a text is found by, and when it speaks of a name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentions, searchTerms } from './search-terms.ts'

test('Japanese is found by its pairs of characters, English by its words', () => {
  const terms = new Set(searchTerms('鬼滅の刃と One Piece'))
  for (const term of ['鬼滅', '滅の', 'の刃', 'one', 'piece']) assert.ok(terms.has(term), term)
  assert.ok(!terms.has('on'))
})

test('width and case do not matter', () => {
  assert.deepEqual(searchTerms('ﾜﾝﾋﾟｰｽ ＯＮＥ'), searchTerms('ワンピース one'))
})

test('fillers are no terms', () => {
  assert.deepEqual(searchTerms('do you have the'), [])
  assert.deepEqual(searchTerms('?!'), [])
})

test('a name is mentioned inside Japanese text, and only as whole words in English', () => {
  assert.ok(mentions('鬼滅の刃の在庫は', '鬼滅の刃'))
  assert.ok(mentions('よつばと', 'よつばと!'))
  assert.ok(mentions('Is One Piece in stock?', 'ONE PIECE'))
  assert.ok(mentions('OPの新刊', 'OP'))
  assert.ok(!mentions('a shop', 'OP'))
  assert.ok(!mentions('鬼', '鬼滅の刃'))
  assert.ok(!mentions('anything', '!?'))
})
