// What a question finds on a shelf: excluded series never, the named and the meant first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { smallVectors } from '../../test/fixtures/small-vectors.ts'
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { NO_WISH } from './wish.ts'
import type { Filters, Wish } from './wish.ts'
import { isAvoided, passes } from './filters.ts'
import { memoryShelf } from './memory-shelf.ts'
import { passagesOf } from './passages.ts'
import type { ShelfQuestion } from './question.ts'
import { searchShelf } from './shelf-search.ts'

const vectors = smallVectors()

function search(products: readonly Product[], over: Partial<ShelfQuestion>) {
  const { shelf, texts } = memoryShelf(products, vectors)
  const offerOf = (at: number) => ({ ...products[at]!, totalYen: totalYen(products[at]!) })
  return searchShelf({ shelf, vectors, offerOf }, { text: '', limit: 10, ...over }, texts)
}
const found = (products: readonly Product[], over: Partial<ShelfQuestion>) =>
  search(products, over).ranked.map(({ id }) => id)
const wishing = (over: Partial<Wish>): Partial<ShelfQuestion> => ({ wish: { ...NO_WISH, ...over } })
const withHook = (id: string, en: string, over: Partial<Product> = {}) =>
  sampleProduct({ id, title: { ja: id, en: id, romaji: id }, aliases: [], hooks: { ja: [], en: [en] }, ...over })

const GENRES = ['action', 'romance', 'horror', 'comedy'] as const
const MOODS = ['dark', 'light', 'sad', 'funny'] as const

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

test('for every wish, no excluded series is found, no series twice, and the best first', () => {
  const anyQuestion = fc.record({
    text: fc.constantFrom('', 'pirates', '料理', 'a scary house'),
    wish: fc.record({
      want: fc.array(
        fc.record({
          text: fc.constantFrom('', 'a scary house', '料理'),
          genres: fc.subarray([...GENRES], { maxLength: 2 }),
          moods: fc.subarray([...MOODS], { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      avoid: fc.subarray([...GENRES, ...MOODS], { maxLength: 2 }),
      filters: anyFilters,
    }),
    like: fc.subarray(IDS, { maxLength: 2 }),
    exclude: fc.subarray(IDS, { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 12 }),
  })
  fc.assert(
    fc.property(anyShelf, anyQuestion, (products, asked) => {
      const { ranked } = search(products, asked)
      assert.ok(ranked.length <= asked.limit)
      assert.equal(new Set(ranked.map(({ id }) => id)).size, ranked.length)
      for (const { id } of ranked) {
        const product = products.find((one) => one.id === id)
        assert.ok(product !== undefined && ![...asked.like, ...asked.exclude].includes(id))
        assert.ok(passes(product, asked.wish.filters) && !isAvoided(product, asked.wish))
      }
      const scores = ranked.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
    }),
  )
})

test('a half-remembered plot is found by other words, and in the other language', () => {
  const products = [
    withHook('sea', 'a pirate and his ship'),
    withHook('kitchen', 'the chef in a house'),
    withHook('room', 'ghosts in a classroom'),
  ]
  assert.equal(found(products, { text: 'buccaneers who sail' })[0], 'sea')
  assert.equal(found(products, { text: '学校の幽霊' })[0], 'room')
})

test('words that meet in one passage count more than words scattered over several', () => {
  const products = [
    withHook('scattered', 'a pirate', { hooks: { ja: [], en: ['a pirate', 'a school', 'a ghost'] } }),
    withHook('together', 'the pirate ghost of a school'),
  ]
  assert.equal(found(products, { text: 'pirate ghost school' })[0], 'together')
})

test('a series named in the question comes first; an everyday name inside a plot does not', () => {
  const products = [
    withHook('a', 'pirates on a ship'),
    withHook('b', 'a cook', { title: { ja: '幽霊船', en: 'Ghost', romaji: 'Ghost' } }),
  ]
  assert.equal(found(products, { text: 'Ghost' })[0], 'b')
  assert.equal(found(products, { text: 'a ghost on a pirate ship' })[0], 'a')
})

test('a series that is named comes first, the surer the more of the question the name is', () => {
  const products = [withHook('a', 'a cook'), withHook('b', 'a pirate ghost')]
  assert.deepEqual(found(products, { text: 'a pirate', named: [{ id: 'a', share: 0.8 }] }), ['a', 'b'])
})

test('a question of attributes alone finds those that have them, and a plot only prefers them', () => {
  const products = [
    withHook('a', 'a pirate', { genres: ['horror'] }),
    withHook('b', 'a pirate ghost ship', { genres: ['comedy'] }),
  ]
  assert.equal(
    found(products, { text: 'horror', ...wishing({ want: [{ text: 'horror', genres: ['horror'], moods: [] }] }) })[0],
    'a',
  )
  assert.equal(
    found(products, {
      text: 'a ghost on the ship of a pirate boy',
      ...wishing({ want: [{ text: 'horror', genres: ['horror'], moods: [] }] }),
    })[0],
    'b',
  )
})

test('a series that meets all wishes comes before one that meets a single wish very well', () => {
  const products = [
    withHook('one', 'a ghost', {
      genres: ['horror'],
      themes: { ja: [], en: ['ghost', 'ghost ship', 'a house of ghosts'] },
    }),
    withHook('both', 'a cook', { themes: { ja: [], en: ['ghost', 'cook'] } }),
  ]
  const want = [
    { text: 'ghost', genres: [], moods: [] },
    { text: 'cook', genres: [], moods: [] },
  ]
  assert.equal(found(products, { text: '', ...wishing({ want }) })[0], 'both')
})

test('of two series that serve equally well, the better known comes first', () => {
  const adaptations = [{ kind: 'tv', year: 2001 } as const]
  const products = [withHook('a', 'a pirate'), withHook('b', 'a pirate', { adaptations })]
  assert.deepEqual(found(products, { text: 'pirate' }), ['b', 'a'])
})

test('"like this one" prefers what is stated to be similar, with a reason', () => {
  const similar = [{ id: 'b', title: { ja: 'b', en: 'b' }, reason: { ja: 'x', en: 'x' } }]
  const products = [
    withHook('a', 'a pirate', { similar }),
    withHook('b', 'a cook', { genres: ['cooking'], moods: ['light'] }),
    withHook('c', 'a pirate ship'),
  ]
  assert.equal(found(products, { text: 'like a', like: ['a'] })[0], 'b')
  assert.equal(found(products, { text: 'like b', like: ['b'] })[0], 'a')
})

test('an unwanted aspect excludes what is about it, not what mentions it once', () => {
  const products = [
    withHook('about', 'a boy', { themes: { ja: [], en: ['school'] } }),
    withHook('mention', 'a boy leaves the school'),
    withHook('other', 'a boy on a ship'),
  ]
  const asked = { text: 'boy', ...wishing({ avoidTexts: ['school stuff'] }) }
  assert.deepEqual(found(products, asked).toSorted(), ['mention', 'other'])
  assert.deepEqual(
    search(products, asked).excluded.map(({ id, condition }) => [id, condition]),
    [['about', 'avoidTexts']],
  )
})

test('an unwanted genre is not searched for', () => {
  const products = [
    withHook('a', 'a scary pirate', { genres: ['action'] }),
    withHook('b', 'a pirate', { genres: ['action'] }),
  ]
  const { question } = search(products, { text: 'pirates but nothing scary', ...wishing({ avoid: ['horror'] }) })
  assert.deepEqual(
    question.words.map(({ word }) => word),
    ['pirate'],
  )
})

test('a sold-out series comes after the same one in stock', () => {
  const products = [withHook('a', 'a pirate', { stock: 0 }), withHook('b', 'a pirate', { stock: 1 })]
  assert.deepEqual(found(products, { text: 'pirate' }), ['b', 'a'])
})

test('the passage that matches best is named', () => {
  const products = [withHook('a', 'x', { hooks: { ja: ['雪山'], en: ['a cook', 'the pirate ship'] } })]
  const passage = search(products, { text: 'ship of pirates' }).ranked[0]?.passage ?? -1
  assert.equal(passagesOf(products[0]!)[passage]?.text, 'the pirate ship')
})

test('unknown words find nothing, and an empty shelf has nothing to find', () => {
  assert.deepEqual(found([withHook('a', 'a pirate')], { text: 'xyzzy' }), [])
  assert.deepEqual(found([], { text: 'pirate' }), [])
})
