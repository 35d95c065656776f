// Describing named series: what one is about, what it costs, and how several differ.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_ASK } from '../../grounding.ts'
import { bareProduct, sampleProduct } from '../../../test/fixtures/samples.ts'
import { describeFact } from './describe-fact.ts'
import { describeSeries, compareSeries, describePrices } from './describe.ts'
import { suggest } from './suggest.ts'
import { varyBy } from './vary.ts'

const demon = sampleProduct({ stock: 12 })
const piece = sampleProduct({
  id: 'one-piece',
  title: { ja: 'ONE PIECE', en: 'One Piece', romaji: 'One Piece' },
  volumes: 114,
  status: 'running',
  pricePerVolumeYen: 572,
  stock: 0,
})

test('the description of a series has author, magazine, year, synopsis and facts', () => {
  const ja = describeSeries(demon, 'ja')
  for (const part of [
    '『鬼滅の刃』',
    '吾峠呼世晴',
    '2016年',
    '週刊少年ジャンプ',
    demon.synopsis?.ja ?? 'a synopsis',
    '全23巻',
    '484円',
    '在庫12点',
  ])
    assert.ok(ja.includes(part), part)
  const en = describeSeries(demon, 'en')
  for (const part of [
    '**Demon Slayer**',
    'Koyoharu Gotouge',
    'in 2016',
    'Weekly Shonen Jump',
    demon.synopsis?.en ?? 'a synopsis',
    '23 volumes',
    '¥484',
    '12 in stock',
  ])
    assert.ok(en.includes(part), part)
})

test('a magazine is not quoted like the title of a series', () => {
  assert.doesNotMatch(describeSeries(demon, 'ja'), /『週刊少年ジャンプ』/)
})

test('price and stock of each series, and a pointer to support only when one is sold out', () => {
  assert.match(describePrices([demon], 'ja'), /『鬼滅の刃』は1巻484円（税込）で、在庫12点ございます。/)
  assert.doesNotMatch(describePrices([demon], 'ja'), /入荷/)
  assert.match(describePrices([demon, piece], 'ja'), /『ONE PIECE』.*品切れ.*お問い合わせ窓口/su)
  assert.match(describePrices([piece], 'en'), /out of stock just now at ¥572.*support can tell/su)
})

test('of two series, the shorter and the cheaper are named', () => {
  assert.match(compareSeries([demon, piece], 'ja'), /控えめなのは『鬼滅の刃』/)
  const dear = { ...demon, pricePerVolumeYen: 900 }
  const said = compareSeries([dear, piece], 'en')
  assert.match(
    said,
    /\*\*Demon Slayer\*\* is the shorter read \(23 volumes\); \*\*One Piece\*\* costs less a volume \(¥572\)/,
  )
})

test('when two series are equal, neither is called shorter or cheaper', () => {
  const twin = { ...demon, id: 'twin', title: { ja: '双子', en: 'Twin', romaji: 'Futago' } }
  assert.doesNotMatch(compareSeries([demon, twin], 'en'), /shorter|less|cheaper/)
  assert.doesNotMatch(compareSeries([demon, twin], 'ja'), /早く|お手頃|控えめ/)
})

test('of three series, the superlative is used', () => {
  const third = { ...piece, id: 'third', title: { ja: '三', en: 'Third', romaji: 'San' }, volumes: 50 }
  assert.match(
    compareSeries([demon, piece, third], 'en'),
    /\*\*Demon Slayer\*\* is both the shortest \(23 volumes\) and the cheapest/,
  )
})

test('of a series of which little is known, nothing is said that is not known', () => {
  const bare = bareProduct()
  for (const language of ['ja', 'en'] as const) {
    for (const said of [
      describeSeries(bare, language),
      compareSeries([bare, demon], language),
      suggestBare(language),
      ...(['author', 'start', 'status', 'length', 'price', 'total'] as const).map((fact) =>
        describeFact([bare], fact, language),
      ),
    ]) {
      assert.doesNotMatch(said, /undefined|NaN|（）|by :|「」|既刊23巻|全23巻.*全23巻|so far/, said)
      assert.match(said, /23|484/, said)
    }
  }
  assert.equal(
    describeSeries(bare, 'en'),
    '**Demon Slayer** is available (12 in stock) at ¥484 a volume, tax included; 23 volumes on sale.',
  )
  assert.equal(
    describeSeries(bareProduct({ firstYear: 2016 }), 'ja'),
    '『鬼滅の刃』の開始は2016年です。\n\n取り扱い23巻、1巻484円、在庫12点です。',
  )
  assert.match(describeFact([bare], 'author', 'en'), /^Our data on \*\*Demon Slayer\*\* do not say who made it\./)
  assert.match(
    describeFact([bare], 'status', 'ja'),
    /^『鬼滅の刃』が完結しているかどうかは、当店の情報では確認できません。/,
  )
})

function suggestBare(language: 'ja' | 'en'): string {
  const ask = { ...NO_ASK, kind: 'recommend' } as const
  return suggest({ ask, liked: [], products: [bareProduct()], language, vary: varyBy('x') })
}
