// The correction at the end of an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { correctionNote } from './note.ts'

const product = sampleProduct()

test('a correction states the store’s values of what was wrong, in both languages', () => {
  const both = [{ kind: 'price', product } as const, { kind: 'status', product } as const]
  assert.equal(
    correctionNote(both, 'ja'),
    '※訂正：『鬼滅の刃』は、正しくは1巻484円（全巻で11,132円）、当店の取り扱いは23巻、完結済みです。',
  )
  assert.equal(
    correctionNote(both, 'en'),
    'Note: to correct myself, “Demon Slayer” is ¥484 a volume (¥11,132 in all), 23 volumes here, completed.',
  )
  assert.match(
    correctionNote([{ kind: 'stock', product: sampleProduct({ stock: 0 }) }], 'en') ?? '',
    /is out of stock\.$/u,
  )
  assert.match(correctionNote([{ kind: 'title', name: 'X' }], 'ja') ?? '', /『X』は当店の商品一覧に/u)
  assert.equal(correctionNote([], 'ja'), undefined)
})

test('a hostile title is written as plain words', () => {
  const title = {
    ja: '[安い](https://evil.example)\u202E<b>',
    en: '**Free** [x](https://evil.example) `\u202E',
    romaji: 'x',
  }
  for (const language of ['ja', 'en'] as const) {
    const note = correctionNote([{ kind: 'stock', product: sampleProduct({ title }) }], language) ?? ''
    assert.doesNotMatch(note, /[[\]<>`*\u202E]|\]\(/u)
  }
  const long = correctionNote([{ kind: 'title', name: 'a'.repeat(5000) }], 'en') ?? ''
  assert.ok(long.length < 200)
})

test('at most three series are corrected', () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ kind: 'title', name: `T${index}` }) as const)
  assert.equal(correctionNote(many, 'en')?.match(/could not find/gu)?.length, 3)
})
