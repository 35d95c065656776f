// The features counted in a text: by script and run, and the same for a text in pieces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyDeltas } from '#fixtures/shop/texts.ts'
import { FEATURES, PART_OF, PARTS } from './features.ts'
import { Scan } from './scan.ts'

function counted(...pieces: readonly string[]): Readonly<Record<string, number | undefined>> {
  const scan = new Scan()
  for (const piece of pieces) scan.add(piece)
  const counts = scan.counts()
  return Object.fromEntries(FEATURES.flatMap((feature, at) => (counts[at] === 0 ? [] : [[feature, counts[at]]])))
}

test('a text in pieces gives the same counts as the whole, wherever it is cut', () => {
  fc.assert(fc.property(anyDeltas, ({ text, deltas }) => assert.deepEqual(counted(...deltas), counted(text))))
  const text = 'See https://shop.example/%E9%80%B2?q=1 or   call 0123456, dear Über-reader!\n\n  “漫画です”'
  assert.deepEqual(counted(...text), counted(text))
})

test('reading the counts changes nothing', () => {
  const scan = new Scan()
  scan.add('half a wo')
  assert.deepEqual(scan.counts(), scan.counts())
  scan.add('rd')
  const whole = new Scan()
  whole.add('half a word')
  assert.deepEqual(scan.counts(), whole.counts())
})

test('scripts are distinguished by their Unicode script, not by their block', () => {
  assert.deepEqual(counted('ﾏﾝｶﾞ'), { halfKana: 3, halfMark: 1 })
  assert.deepEqual(counted('한글뷁'), { hangul1: 2, hangul3: 1 })
  assert.deepEqual(counted('ＡＢ１'), { wideLatin: 3 })
  assert.deepEqual(counted('😀'), { emoji: 1 })
  assert.deepEqual(counted('𠮟'), { fourBytes: 1 })
  assert.deepEqual(counted('ไทย'), { thai: 3 })
  assert.deepEqual(counted('。『'), { widePunctuation: 1, wideMark: 1 })
})

test('kana that often occur together count as a pair, and long runs of Han count apart from the kanji of a sentence', () => {
  assert.deepEqual(counted('です'), { kana: 1, kanaTight: 1 })
  assert.deepEqual(counted('へめ'), { kana: 2 })
  assert.deepEqual(counted('日本人大学'), { kanji1: 4, hanRun: 1 })
})

test('a common word counts only as a word, an unknown one with its letters as well', () => {
  assert.deepEqual(counted('The shop'), { word: 2 })
  const strange = counted('xqzvk')
  assert.ok((strange['cut3'] ?? 0) >= 2 && strange['letter'] === 3)
  assert.equal(counted('parseHtmlNow')['camel'], 2)
})

test('a word after a single sign is joined by it, and a space belongs to the word that follows', () => {
  assert.deepEqual(counted('shop.com'), { word: 1, wordJoined: 1, punctuation: 1 })
  assert.deepEqual(counted('(shop'), { wordBare: 1, punctuation: 1 })
  assert.deepEqual(counted(' 12'), { spaceDigit: 1, digitThree: 1, digit: 2 })
  assert.deepEqual(counted('12345'), { digitThree: 2, digit: 5 })
  assert.deepEqual(counted('    '), { spaces: 1, spacesMore: 3 })
  assert.deepEqual(counted('。\n\n'), { widePunctuation: 1, newlineAfter: 1, newlineMore: 1 })
})

test('a percent-encoded byte is one feature, and a single percent sign is punctuation', () => {
  assert.deepEqual(counted('%E3%81'), { escape: 2 })
  assert.deepEqual(counted('5%'), { digitThree: 1, digit: 1, punctuation: 1 })
})

test('every feature belongs to exactly one part', () => {
  assert.deepEqual(PARTS.flat().toSorted(), FEATURES.toSorted())
  assert.ok(PART_OF.every((part, at) => PARTS[part]?.includes(FEATURES[at]!)))
})
