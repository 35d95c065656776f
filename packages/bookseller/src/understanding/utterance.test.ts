// A word is found as a whole word, not inside another, without regard to width and case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utteranceOf, contains, spansOf } from './utterance.ts'

const isSaid = (text: string, phrase: string) => contains(utteranceOf(text), phrase)

test('a Latin word is not found inside another', () => {
  assert.ok(isSaid('no romance, please', 'no'))
  assert.ok(isSaid('order?', 'order'))
  for (const [text, phrase] of [
    ['a novel', 'no'],
    ['heartwarming', 'war'],
    ['reordered', 'order'],
    ['mp3s', 'mp3'],
  ] as const) {
    assert.ok(!isSaid(text, phrase), `${phrase} in ${text}`)
  }
})

test('a katakana word is not found inside another, also not before a long vowel', () => {
  assert.ok(isSaid('アクションが好き', 'アクション'))
  assert.ok(!isSaid('リアクションが好き', 'アクション'))
  assert.ok(!isSaid('ホラーゲーム', 'ゲーム'))
  assert.ok(!isSaid('メカニック', 'メカ'))
})

test('a short word in hiragana must be a word of the segmenter; one with kanji is found anywhere', () => {
  assert.ok(isSaid('はい、お願いします', 'はい'))
  assert.ok(!isSaid('はいからさん', 'はい'))
  assert.ok(isSaid('泣ける恋愛漫画', '恋愛'))
})

test('width, case, hyphens and quotes do not matter', () => {
  assert.ok(isSaid('ﾎﾗｰが読みたい', 'ホラー'))
  assert.ok(isSaid('ＳＣＩ‐ＦＩ', 'sci fi'))
  assert.ok(isSaid('slice-of-life', 'slice of life'))
  assert.ok(isSaid('boys’ love', "boys' love"))
})

test('a Latin word is found in Japanese text', () => {
  assert.ok(isSaid('SFが好き', 'sf'))
  assert.ok(!isSaid('SFXが好き', 'sf'))
})

test('all positions are returned where the phrase is a whole word, and no others', () => {
  assert.deepEqual(spansOf(utteranceOf('heartwarming war'), 'war'), [{ from: 13, to: 16 }])
  assert.deepEqual(spansOf(utteranceOf('war and no war'), 'war').length, 2)
  assert.deepEqual(spansOf(utteranceOf(''), 'war'), [])
})
