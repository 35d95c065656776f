// Titles are ordered by reading in Japanese and by letters in English.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareReadings, readingOf } from './title-order.ts'

const title = (ja: string, romaji: string, kana?: string, en = romaji) => ({
  ja,
  en,
  romaji,
  ...(kana === undefined ? {} : { kana }),
})

test('a reading is the known one, the title itself in kana, or made from the romaji', () => {
  assert.equal(readingOf(title('亜人', 'Ajin', 'あじん'), 'ja'), 'あじん')
  assert.equal(readingOf(title('アオアシ', 'Ao Ashi'), 'ja'), 'アオアシ')
  assert.equal(readingOf(title('暁のヨナ', 'Akatsuki no Yona'), 'ja'), 'あかつきのよな')
  assert.equal(readingOf(title('進撃の巨人', 'Shingeki no Kyojin'), 'ja'), 'しんげきのきょじん')
  assert.equal(readingOf(title('日常', 'Nichijou'), 'ja'), 'にちじょう')
  assert.equal(readingOf(title('学校', 'Gakkou'), 'ja'), 'がっこう')
})

test('Japanese titles follow the kana order, English ones the alphabet without their article', () => {
  const japanese = ['よつばと!', 'あじん', 'アオアシ', 'かいじゅう'].toSorted((a, b) => compareReadings(a, b, 'ja'))
  assert.deepEqual(japanese, ['アオアシ', 'あじん', 'かいじゅう', 'よつばと!'])
  assert.equal(readingOf(title('x', 'x', undefined, 'The Promised Neverland'), 'en'), 'Promised Neverland')
  assert.ok(compareReadings('20th Century Boys', '100 Soldiers', 'en') < 0)
})
