// A role is kept only by words that can carry it, and covers whole words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokensOf } from './model/tokens.ts'
import { plausibleSpans } from './plausible-spans.ts'
import type { Role } from './reading.ts'

function kept(text: string, role: Role, words: string): readonly string[] {
  const from = text.indexOf(words)
  const marked = [{ role, from, to: from + words.length }]
  return plausibleSpans(text, tokensOf(text, []), marked).map((span) => span.text)
}

test('a span that begins inside a word of kanji or katakana begins where the word does', () => {
  assert.deepEqual(kept('スポーツものは部活でやった', 'avoid', 'ーツもの'), ['スポーツもの'])
  assert.deepEqual(kept('グロくないやつ', 'avoid', 'グロく'), ['グロく'])
})

test('words that cannot carry the role are dropped', () => {
  assert.deepEqual(kept('Twenty thousand yen', 'avoid', 'Twenty'), [])
  assert.deepEqual(kept('10巻まで', 'want', '10巻'), [])
  assert.deepEqual(kept('安いのがいい', 'total<', '安い'), [])
  assert.deepEqual(kept('派手なのがいい', 'age', '派手'), [])
  assert.deepEqual(kept('10歳の娘に', 'age', '10歳'), ['10歳'])
  assert.deepEqual(kept('I only want to try volumes 1-3.', 'age', '1-3'), [])
  assert.deepEqual(kept('no horror', 'avoid', 'horror'), ['horror'])
  assert.deepEqual(kept('is that under 2,000 yen', 'title', 'under'), [])
  assert.deepEqual(kept('is Monster finished', 'title', 'Monster'), ['Monster'])
})

test('「18禁」 is a dislike, whatever amount it was taken for', () => {
  const text = '18禁はなしで'
  const [span] = plausibleSpans(text, tokensOf(text, []), [{ role: 'count', from: 0, to: 3 }])
  assert.equal(span?.role, 'avoid')
})
