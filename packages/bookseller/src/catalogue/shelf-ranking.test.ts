// Which series answer a wish: excluded series never appear, and named ones come first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bareProduct, sampleProduct } from '../../test/fixtures/samples.ts'
import type { Product } from './catalogue.ts'
import { passes, rankShelf } from './shelf-ranking.ts'
import type { ShelfQuery } from './shelf-ranking.ts'
import { NO_WISH } from '../understanding/ask.ts'
import type { Filters, Wish } from '../understanding/ask.ts'

const GENRES = ['action', 'romance', 'horror', 'comedy'] as const
const MOODS = ['dark', 'light', 'sad', 'funny'] as const

const query = (over: Partial<ShelfQuery> = {}): ShelfQuery => ({
  wish: NO_WISH,
  like: [],
  exclude: [],
  byText: [],
  named: [],
  limit: 10,
  ...over,
})
const rank = (products: readonly Product[], over: Partial<ShelfQuery>) =>
  rankShelf({ products, vectors: products.map(() => new Float32Array([1, 0])) }, query(over)).map(({ id }) => id)
const wishing = (over: Partial<Wish>): Partial<ShelfQuery> => ({ wish: { ...NO_WISH, ...over } })

const anyProduct = (id: string): fc.Arbitrary<Product> =>
  fc
    .record({
      genres: fc.subarray([...GENRES], { minLength: 1 }),
      moods: fc.subarray([...MOODS], { minLength: 1 }),
      volumes: fc.integer({ min: 1, max: 40 }),
      pricePerVolumeYen: fc.integer({ min: 400, max: 1000 }),
      stock: fc.integer({ min: 0, max: 2 }),
      firstYear: fc.integer({ min: 1970, max: 2024 }),
      status: fc.constantFrom('completed', 'running', 'hiatus'),
      demographic: fc.constantFrom('shounen', 'shoujo', 'seinen', 'josei', 'kodomo'),
    })
    .map((facts) => sampleProduct({ id, ...facts }))

const IDS = Array.from({ length: 12 }, (_, index) => `p${index}`)
const anyShelf = fc.tuple(...IDS.map(anyProduct))

const anyFilters: fc.Arbitrary<Filters> = fc.record(
  {
    status: fc.constantFrom('completed', 'running', 'hiatus'),
    inStock: fc.constant(true as const),
    volumesMax: fc.integer({ min: 1, max: 40 }),
    volumesMin: fc.integer({ min: 1, max: 40 }),
    priceYenMax: fc.integer({ min: 400, max: 1000 }),
    priceYenMin: fc.integer({ min: 400, max: 1000 }),
    yearFrom: fc.integer({ min: 1970, max: 2024 }),
    yearTo: fc.integer({ min: 1970, max: 2024 }),
    demographic: fc.constantFrom('shounen', 'shoujo', 'seinen'),
    author: fc.constantFrom('吾峠呼世晴', 'だれか'),
    magazines: fc.constantFrom(['週刊少年ジャンプ'], ['なかよし']),
  },
  { requiredKeys: [] },
)
const anyQuery: fc.Arbitrary<ShelfQuery> = fc.record({
  wish: fc.record({
    genres: fc.subarray([...GENRES], { maxLength: 2 }),
    moods: fc.subarray([...MOODS], { maxLength: 2 }),
    avoid: fc.subarray([...GENRES, ...MOODS], { maxLength: 2 }),
    filters: anyFilters,
  }),
  like: fc.subarray(IDS, { maxLength: 2 }),
  exclude: fc.subarray(IDS, { maxLength: 3 }),
  byText: fc.shuffledSubarray(IDS),
  named: fc.subarray(IDS, { maxLength: 2 }),
  meaning: fc.constant(new Float32Array([1, 0])),
  limit: fc.integer({ min: 1, max: 12 }),
})

test('for every wish, no excluded series is found, and no series is found twice', () => {
  fc.assert(
    fc.property(anyShelf, anyQuery, (products, asked) => {
      const ranked = rankShelf({ products, vectors: products.map(() => new Float32Array([1, 0])) }, asked)
      assert.ok(ranked.length <= asked.limit)
      assert.equal(new Set(ranked.map(({ id }) => id)).size, ranked.length)
      const out = new Set([...asked.like, ...asked.exclude])
      for (const { id } of ranked) {
        const product = products.find((one) => one.id === id)
        assert.ok(product !== undefined && !out.has(id))
        assert.ok(passes(product, asked.wish.filters))
        for (const avoided of asked.wish.avoid) assert.ok(![...product.genres, ...product.moods].includes(avoided))
      }
      const scores = ranked.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
    }),
  )
})

test('a wish for a genre that the catalogue has finds only that genre, or nothing if a filter excludes it', () => {
  fc.assert(
    fc.property(anyShelf, anyQuery, (products, asked) => {
      const { genres } = asked.wish
      const hasSome = (product: Product) => genres.some((genre) => product.genres.includes(genre))
      fc.pre(asked.like.length === 0 && products.some(hasSome))
      const ids = new Set(products.filter(hasSome).map(({ id }) => id))
      for (const id of rank(products, asked)) assert.ok(ids.has(id))
    }),
  )
})

test('each filter checks its own field, and its limits are inclusive', () => {
  const product = sampleProduct({ volumes: 10, pricePerVolumeYen: 500, firstYear: 1990, status: 'hiatus', stock: 0 })
  const let_ = (filters: Filters) => passes(product, filters)
  for (const filters of [
    { volumesMax: 10 },
    { volumesMin: 10 },
    { priceYenMax: 500 },
    { priceYenMin: 500 },
    { yearFrom: 1990 },
    { yearTo: 1990 },
    {},
  ])
    assert.ok(let_(filters), JSON.stringify(filters))
  for (const filters of [
    { volumesMax: 9 },
    { volumesMin: 11 },
    { priceYenMax: 499 },
    { priceYenMin: 501 },
    { yearFrom: 1991 },
    { yearTo: 1989 },
    { inStock: true as const },
    { demographic: 'josei' },
  ])
    assert.ok(!let_(filters), JSON.stringify(filters))
  // A series on hiatus has not ended.
  assert.deepEqual(
    [let_({ status: 'hiatus' }), let_({ status: 'running' }), let_({ status: 'completed' })],
    [true, true, false],
  )
})

test('a series of which a fact is unknown does not pass a filter for it', () => {
  const bare = bareProduct()
  for (const filters of [
    { status: 'running' },
    { yearFrom: 1990 },
    { yearTo: 2030 },
    { demographic: 'seinen' },
    { author: '吾峠呼世晴' },
    { magazines: ['週刊少年ジャンプ'] },
  ] as const)
    assert.equal(passes(bare, filters), false, JSON.stringify(filters))
  assert.equal(passes(bare, { volumesMax: 23 }), true)
})

test('each of two authors counts as the author', () => {
  const product = sampleProduct({ author: { ja: 'ONE・村田雄介', en: 'ONE & Yusuke Murata' } })
  assert.ok(passes(product, { author: '村田雄介' }) && passes(product, { author: 'ONE' }))
  assert.ok(!passes(product, { author: '村田' }))
})

test('a named series comes first, even when it matches nothing else', () => {
  const products = [
    sampleProduct({ id: 'a', genres: ['horror'] }),
    sampleProduct({ id: 'b', genres: ['horror'] }),
    sampleProduct({ id: 'c', genres: ['horror'] }),
  ]
  assert.equal(rank(products, { byText: ['a', 'b'], named: ['c'] })[0], 'c')
})

test('the main genre of a series counts most, and sold-out series come later', () => {
  const first = sampleProduct({ id: 'z', genres: ['horror', 'action'] })
  const last = sampleProduct({ id: 'a', genres: ['action', 'comedy', 'horror'] })
  assert.deepEqual(rank([last, first], wishing({ genres: ['horror'] })), ['z', 'a'])
  assert.deepEqual(
    rank(
      [
        { ...first, stock: 0 },
        { ...first, id: 'zz' },
      ],
      wishing({ genres: ['horror'] }),
    ),
    ['zz', 'z'],
  )
})

test('a wish for a genre that no product has excludes no series', () => {
  assert.deepEqual(rank([sampleProduct({ id: 'a' })], { ...wishing({ genres: ['cooking'], moods: ['dark'] }) }), ['a'])
})

test('without a wish and without words the ranking is empty', () => {
  assert.deepEqual(rank([sampleProduct()], {}), [])
})
