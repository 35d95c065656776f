// A word of the vocabulary is found as a word, and not inside another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrencesOf } from './occurrences.ts'

const occurs = (word: string, text: string) => occurrencesOf(word, text).length > 0

test('a word is found with its endings', () => {
  for (const [word, text] of [
    ['fight', 'fights'],
    ['romance', 'a romance'],
    ['bully*', 'bullying'],
    ['怖い', '怖く'],
    ['怖い', '怖すぎ'],
    ['コメディ', 'ブラックコメディ'],
    ['血', '血が出る'],
  ] as const)
    assert.ok(occurs(word, text), text)
})

test('a word is not found inside another', () => {
  for (const [word, text] of [
    ['war', 'award'],
    ['grand', 'grandpa'],
    ['sex', 'sexist'],
    ['quest', 'question'],
    ['エロ', 'ピエロ'],
    ['アクション', 'リアクション芸'],
    ['血', '熱血'],
    ['暗い', '暗殺'],
    ['重い', '重力'],
    ['戦い', '頭脳戦'],
  ] as const)
    assert.ok(!occurs(word, text), text)
})

test('every occurrence is found', () => {
  assert.deepEqual(occurrencesOf('war', 'award war, war'), [
    { from: 6, to: 9 },
    { from: 11, to: 14 },
  ])
})
