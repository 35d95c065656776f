// The contract of the search. `make` returns one over the sample catalogue, and a way to change the catalogue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { NO_WISH } from '@mangaassist/bookseller/retrieval/wish'
import type { Filters } from '@mangaassist/bookseller/retrieval/wish'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import type { ProductStore } from '../product-store/port.ts'
import type { Search, SearchQuery } from './port.ts'

export interface SearchUnderTest {
  readonly search: Search
  readonly products: Pick<ProductStore, 'changeOffers'>
  /** Resolves when the new products are indexed. */
  readonly replaceProducts: (products: readonly Product[]) => Promise<void>
}

export function searchContract(name: string, make: (context: TestContext) => Promise<SearchUnderTest>): void {
  const find = (search: Search, text: string, over: Partial<SearchQuery> = {}) =>
    search.find({ text, language: 'ja', limit: 5, ...over }, new AbortController().signal)

  const bestFor: readonly (readonly [text: string, id: string])[] = [
    ['鬼滅の刃', 'kimetsu-no-yaiba'],
    ['鬼滅の刃の在庫はありますか？', 'kimetsu-no-yaiba'],
    ['鬼滅', 'kimetsu-no-yaiba'],
    ['demon slayer', 'kimetsu-no-yaiba'],
    ['Do you have ONE PIECE?', 'one-piece'],
    ['ＯＮＥ　ＰＩＥＣＥ', 'one-piece'],
    ['ﾜﾝﾋﾟｰｽ', 'one-piece'],
    ['よつばと', 'yotsuba-to'],
    ['海賊', 'one-piece'],
    ['尾田栄一郎', 'one-piece'],
    ['slice-of-life', 'yotsuba-to'],
  ]
  for (const [text, id] of bestFor) {
    test(`${name}: the best hit for 「${text}」 is ${id}`, async (context) => {
      const { search } = await make(context)
      const hits = await find(search, text)
      assert.equal(hits[0]?.id, id)
    })
  }

  test(`${name}: hits are best first, at most the limit, and say how many of the words they match`, async (context) => {
    const { search } = await make(context)
    const hits = await find(search, 'action 週刊少年ジャンプ shipping')
    assert.ok(hits.length >= 2)
    const scores = hits.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.ok(hits.every(({ matched }) => matched > 0 && matched < 1))
    assert.equal((await find(search, '鬼滅の刃'))[0]?.matched, 1)
    assert.equal((await find(search, 'action 週刊少年ジャンプ shipping', { limit: 1 })).length, 1)
  })

  test(`${name}: far down a long result a hit still says whether a word matches`, async (context) => {
    const { search, replaceProducts } = await make(context)
    await replaceProducts(Array.from({ length: 40 }, (_, index) => sampleProduct({ id: `p${index}` })))
    const hits = await find(search, sampleProduct().title.ja, { limit: 40 })
    assert.equal(hits.length, 40)
    assert.ok(hits.every(({ matched }) => matched > 0))
  })

  test(`${name}: unknown words and an empty query find nothing`, async (context) => {
    const { search } = await make(context)
    for (const text of ['xyzzy', '', '   ', '!?', '"', "' OR 1=1 --", 'NEAR(', '*', '^']) {
      assert.deepEqual(await find(search, text), [], text)
    }
  })

  test(`${name}: a short name inside another word is not a mention of it`, async (context) => {
    const { search } = await make(context)
    const hits = await find(search, 'shop')
    assert.equal(
      hits.find(({ id }) => id === 'one-piece'),
      undefined,
    )
  })

  test(`${name}: an added product is found, and a removed one is not`, async (context) => {
    const { search, replaceProducts } = await make(context)
    await replaceProducts([
      sampleProduct({ id: 'new', title: { ja: '新作漫画', en: 'Brand New', romaji: 'Shinsaku' } }),
    ])
    assert.equal((await find(search, '新作漫画'))[0]?.id, 'new')
    assert.equal(
      (await find(search, 'ONE PIECE')).find(({ id }) => id === 'one-piece'),
      undefined,
    )
  })

  test(`${name}: "like this one" finds similar series and not the series itself, whatever the words`, async (context) => {
    const { search } = await make(context)
    const hits = await find(search, '鬼滅の刃', { like: ['kimetsu-no-yaiba'] })
    const products = hits.map(({ id }) => id)
    assert.equal(products[0], 'one-piece')
    assert.ok(!products.includes('kimetsu-no-yaiba'))
  })

  test(`${name}: filters and exclusions are applied, and a filter without words finds products`, async (context) => {
    const { search, replaceProducts } = await make(context)
    await replaceProducts([
      sampleProduct({ id: 'long', volumes: 40, status: 'running' }),
      sampleProduct({ id: 'short', volumes: 3, status: 'completed' }),
    ])
    const wish = (filters: Filters) => ({ wish: { ...NO_WISH, filters } })
    const found = async (over: Partial<SearchQuery>) => (await find(search, '', over)).map(({ id }) => id).toSorted()
    assert.deepEqual(await found(wish({ volumesMax: 20 })), ['short'])
    assert.deepEqual(await found(wish({ status: 'running' })), ['long'])
    assert.deepEqual(await found(wish({ volumesMin: 1 })), ['long', 'short'])
    assert.deepEqual(await found({ ...wish({ volumesMin: 1 }), exclude: ['long'] }), ['short'])
  })

  test(`${name}: price and stock of a filter are those of the store now, not of the index`, async (context) => {
    const { search, products } = await make(context)
    const inStock = { wish: { ...NO_WISH, filters: { inStock: true as const } } }
    const found = async () => (await find(search, 'ONE PIECE', inStock)).some(({ id }) => id === 'one-piece')
    assert.ok(await found())
    await products.changeOffers([{ id: 'one-piece', stock: 0 }], { source: 'test' })
    assert.ok(!(await found()))
  })

  test(`${name}: an explanation has the parts of each score, and the condition that excludes the next best`, async (context) => {
    const { search } = await make(context)
    const wish = { ...NO_WISH, filters: { volumesMax: 1 } }
    const query = { text: '海賊の冒険', language: 'ja', limit: 5, wish } as const
    const { ranked, excluded, question } = await search.explain(query, new AbortController().signal)
    assert.ok(question.terms.includes('海賊'))
    assert.deepEqual(
      excluded.filter(({ id }) => id === 'one-piece').map(({ condition }) => condition),
      ['volumesMax'],
    )
    assert.ok(ranked.every(({ id }) => id !== 'one-piece'))
    const open = await search.explain({ ...query, wish: NO_WISH }, new AbortController().signal)
    const [first] = open.ranked
    assert.ok(first?.id === 'one-piece' && first.parts.text > 0 && first.parts.meaning > 0)
  })

  test(`${name}: an unwanted aspect in the shopper's own words excludes what is about it`, async (context) => {
    const { search, replaceProducts } = await make(context)
    const about = (id: string, en: string, ja: string) => sampleProduct({ id, themes: { ja: [ja], en: [en] } })
    await replaceProducts([about('sea', 'pirates', '海賊'), about('land', 'farmers', '農家')])
    const wish = { ...NO_WISH, avoidTexts: ['pirates'] }
    const hits = await find(search, 'action', { wish })
    assert.deepEqual(
      hits.map(({ id }) => id),
      ['land'],
    )
  })

  test(`${name}: words of one language find what only the other language says`, async (context) => {
    const { search, replaceProducts } = await make(context)
    const withHook = (id: string, ja: string) => sampleProduct({ id, hooks: { ja: [ja], en: [] } })
    await replaceProducts([withHook('sea', '海賊王を目指す少年'), withHook('kitchen', '料理人が店を開く')])
    assert.equal((await find(search, 'a cook opens a restaurant', { language: 'en' }))[0]?.id, 'kitchen')
    assert.equal((await find(search, 'boy who wants to be king of the pirates', { language: 'en' }))[0]?.id, 'sea')
  })

  test(`${name}: an aborted search rejects with the reason`, async (context) => {
    const { search } = await make(context)
    const reason = new Error('enough')
    const query = { text: '鬼滅の刃', language: 'ja', limit: 5 } as const
    await assert.rejects(search.find(query, AbortSignal.abort(reason)), reason)
  })
}
