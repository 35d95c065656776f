// What stands beside an exact denial is not wanted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Span } from './reading.ts'
import { deniedNames, withPolarity } from './polarity.ts'

function unwanted(text: string, ...wanted: readonly string[]): readonly string[] {
  const spans = wanted.map((words) => ({
    role: 'want' as const,
    from: text.indexOf(words),
    to: text.indexOf(words) + words.length,
  }))
  return withPolarity<Pick<Span, 'role' | 'from' | 'to'>>(text, spans).flatMap(({ role, from, to }) =>
    role === 'avoid' ? [text.slice(from, to)] : [],
  )
}

test('what is denied beside its name is not wanted, nor is what is listed with it', () => {
  assert.deepEqual(unwanted('恋愛で、年の差とかBLはなしで', '恋愛', '年の差', 'BL'), ['年の差', 'BL'])
  assert.deepEqual(unwanted('ホラー以外で笑えるもの', 'ホラー', '笑える'), ['ホラー'])
  assert.deepEqual(unwanted('samurai, no gore or romance please', 'samurai', 'gore', 'romance'), ['gore', 'romance'])
  assert.deepEqual(unwanted('something funny without any magic', 'funny', 'magic'), ['magic'])
})

test('a doubt about the denial leaves the wish', () => {
  assert.deepEqual(unwanted('ホラーが苦手なわけじゃない', 'ホラー'), [])
  assert.deepEqual(unwanted('SFない？', 'SF'), [])
  assert.deepEqual(unwanted('ホラーは嫌いじゃありません', 'ホラー'), [])
  assert.deepEqual(unwanted('why not horror?', 'horror'), [])
  assert.deepEqual(unwanted('ホラーは嫌、BLじゃない作品で', 'ホラー'), ['ホラー'])
  assert.deepEqual(unwanted('got any horror?', 'horror'), [])
})

test('a genre without a role beside a denial is a dislike', () => {
  const found = (text: string) => deniedNames(text, []).map(({ text: words }) => words)
  assert.deepEqual(found('ホラーは嫌です'), ['ホラー'])
  assert.deepEqual(found('グロは無理です'), ['グロ'])
  assert.deepEqual(found('no gore please'), ['gore'])
  assert.deepEqual(found('please, no horror'), ['horror'])
  assert.deepEqual(found('ホラーはありますか'), [])
  assert.deepEqual(deniedNames('ホラーは嫌です', [{ role: 'avoid', from: 0, to: 3 }]), [])
})

test('a series that is not to be resembled is disliked', () => {
  const role = (text: string, name: string) =>
    withPolarity<Pick<Span, 'role' | 'from' | 'to'>>(text, [
      { role: 'like', from: text.indexOf(name), to: text.indexOf(name) + name.length },
    ])[0]?.role
  assert.equal(role('food, not a battle thing like Food Wars', 'Food Wars'), 'hate')
  assert.equal(role('料理もので、食戟のソーマみたいなバトルは嫌', '食戟のソーマ'), 'hate')
  assert.equal(role('something like Food Wars, not too long', 'Food Wars'), 'like')
  assert.equal(role('食戟のソーマみたいなのはありますか', '食戟のソーマ'), 'like')
})
