// Names in a question, written as they are, misspelled, or as everyday words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameKey } from '../text/name-key.ts'
import { isSpelling, namedIn, spelledLike, trigramsIn } from './names.ts'

const keys = (...names: string[]) => names.map(nameKey)
const word = (said: string) => [{ word: said, row: 0, weight: 1 }]

test('a name is found as a whole, with other spaces and marks', () => {
  assert.equal(namedIn('ONE PIECE', keys('ONE PIECE'), []), 1)
  assert.ok(namedIn('do you have onepiece?', keys('ONE PIECE'), []) > 0)
  assert.equal(namedIn('shop', keys('hop'), []), 0)
  assert.equal(namedIn('バナナ', keys('ワンピース'), []), 0)
})

test('an everyday word is a name only where little else is said', () => {
  assert.ok(namedIn('Monster', keys('Monster'), word('monster')) > 0.9)
  assert.equal(namedIn('a monster eats the whole village', keys('Monster'), word('monster')), 0)
})

test('a typing error, a long vowel and a wrong kana are forgiven; another name is not', () => {
  assert.ok(spelledLike('berzerk', keys('Berserk')) > 0.6)
  assert.ok(spelledLike('haikyuu', keys('Haikyu')) > 0.9)
  assert.ok(spelledLike('進激の巨人', keys('進撃の巨人')) > 0)
  assert.equal(spelledLike('naruto', keys('Berserk')), 0)
})

test('only a short text can be a misspelled name', () => {
  assert.ok(isSpelling('chainsow man'))
  assert.ok(!isSpelling('abc'))
  assert.ok(!isSpelling('a boy who turns into a girl when he gets wet'))
})

test('groups of three letters are of Latin words alone', () => {
  assert.deepEqual(trigramsIn('Nana 少年'), ['nan', 'ana'])
})
