// The conditions of a wish: each checks its own fact, and an unknown fact meets none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareProduct, sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_WISH } from './wish.ts'
import type { Filters } from './wish.ts'
import { failedFilter, isAvoided, passes, viewOf } from './filters.ts'

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

test('total price, age, roles and negations', () => {
  const product = sampleProduct({
    volumes: 10,
    pricePerVolumeYen: 500,
    volumeOffers: [{ volume: 1, priceYen: 100 }],
    age: 12,
    writer: { ja: '大場つぐみ', en: 'Tsugumi Ohba' },
    artist: { ja: '小畑健', en: 'Takeshi Obata' },
    publisher: { ja: '集英社', en: 'Shueisha' },
  })
  for (const filters of [
    { totalYenMax: 4600 },
    { readerAge: 12 },
    { writer: '大場つぐみ' },
    { artist: '小畑健' },
    { author: '小畑健' },
    { publishers: ['集英社'] },
    { notPublishers: ['講談社'] },
    { notMagazines: ['なかよし'] },
    { notDemographics: ['josei'] },
  ])
    assert.equal(failedFilter(viewOf(product), filters), undefined, JSON.stringify(filters))
  for (const filters of [
    { totalYenMax: 4599 },
    { readerAge: 11 },
    { writer: '小畑健' },
    { artist: '大場つぐみ' },
    { publishers: ['講談社'] },
    { notPublishers: ['集英社'] },
    { notMagazines: ['週刊少年ジャンプ'] },
    { notDemographics: ['shounen'] },
  ])
    assert.deepEqual(failedFilter(viewOf(product), filters), Object.keys(filters)[0])
  assert.equal(passes(bareProduct(), { readerAge: 18 }), false)
})

test('an unwanted genre, mood, content note or author excludes', () => {
  const product = sampleProduct({ genres: ['horror'], moods: ['dark'], content: ['gore'] })
  for (const avoid of ['horror', 'dark', 'gore']) assert.ok(isAvoided(product, { ...NO_WISH, avoid: [avoid] }), avoid)
  assert.ok(!isAvoided(product, { ...NO_WISH, avoid: ['romance'] }))
  assert.ok(isAvoided(product, { ...NO_WISH, avoidAuthors: ['吾峠呼世晴'] }))
})

test('nothing for adults is for children, by age, by content or by kind', () => {
  const suits = (over: object) =>
    passes(sampleProduct({ genres: ['comedy'], moods: ['light'], ...over }), { forChildren: true })
  assert.ok(suits({}))
  assert.ok(suits({ age: 10 }))
  for (const over of [{ age: 15 }, { content: ['gore'] }, { genres: ['horror'] }, { moods: ['dark'] }])
    assert.ok(!suits(over), JSON.stringify(over))
})
