// Stated conditions decide what may be shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect } from '../../test/fixtures/dialogue.ts'
import { bareProduct, sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_CONDITIONS, relaxed, unmetBy } from './conditions.ts'
import type { Conditions } from './conditions.ts'

const having = (over: Partial<Conditions>): Conditions => ({ ...NO_CONDITIONS, ...over })
const unmet = (over: Partial<Conditions>, product = sampleProduct()) => unmetBy(product, having(over))

test('without conditions everything may be shown', () => {
  assert.deepEqual(unmet({}), [])
  assert.deepEqual(unmet({}, bareProduct()), [])
})

test('a limit is met or named, and an unknown fact meets no limit', () => {
  // 23 volumes of 484 yen, from 2016, finished.
  assert.deepEqual(unmet({ limits: { totalYenMax: 11_132, volumesMax: 23, yearFrom: 2016, status: 'completed' } }), [])
  assert.deepEqual(unmet({ limits: { totalYenMax: 11_131 } }), ['totalYen'])
  assert.deepEqual(unmet({ limits: { volumesMax: 22 } }), ['volumes'])
  assert.deepEqual(unmet({ limits: { volumeYenMax: 480 } }), ['volumeYen'])
  assert.deepEqual(unmet({ limits: { status: 'running' } }), ['status'])
  assert.deepEqual(unmet({ limits: { inStock: true } }, sampleProduct({ stock: 0 })), ['inStock'])
  assert.deepEqual(unmet({ limits: { yearTo: 2000, status: 'completed' } }, bareProduct()), ['year', 'status'])
})

test('a series on hiatus counts as running, never as finished', () => {
  const paused = sampleProduct({ status: 'hiatus' })
  assert.deepEqual(unmet({ limits: { status: 'running' } }, paused), [])
  assert.deepEqual(unmet({ limits: { status: 'completed' } }, paused), ['status'])
})

test('a dislike excludes by genre, mood and content, and by the story where its words have no key', () => {
  const horror = sampleAspect({ genres: ['horror'], content: ['frightening'] })
  assert.deepEqual(unmet({ avoid: [horror] }, sampleProduct({ genres: ['horror'] })), ['avoid'])
  assert.deepEqual(unmet({ avoid: [horror] }, sampleProduct({ content: ['frightening'] })), ['avoid'])
  assert.deepEqual(unmet({ avoid: [horror] }), [])
  const girls = sampleAspect({ text: 'shoujo', genres: ['shoujo'], content: [] })
  assert.deepEqual(unmet({ avoid: [girls] }, sampleProduct({ demographic: 'shoujo' })), ['avoid'])
  const sister = sampleAspect({ text: '妹', genres: [] })
  assert.deepEqual(unmet({ avoid: [sister] }), [])
  assert.deepEqual(unmet({ avoid: [sampleAspect({ text: 'swordsman', genres: [] })] }), ['avoid'])
})

test('people and magazines are wanted or not', () => {
  assert.deepEqual(unmet({ by: ['吾峠呼世晴'], publishedIn: ['週刊少年ジャンプ'] }), [])
  assert.deepEqual(unmet({ notBy: ['吾峠呼世晴'], notPublishedIn: ['週刊少年ジャンプ'] }), ['notBy', 'notPublishedIn'])
  const two = sampleProduct({ writer: { ja: '原', en: 'W' }, artist: { ja: '画', en: 'A' } })
  assert.deepEqual([unmet({ by: ['画'] }, two), unmet({ by: ['別'] }, two)], [[], ['by']])
})

test('for a child the age decides, and where it is unknown what the series is about', () => {
  const child = { limits: { age: 10 } }
  assert.deepEqual(unmet(child, sampleProduct({ age: 10 })), [])
  assert.deepEqual(unmet(child, sampleProduct({ age: 12 })), ['age'])
  assert.deepEqual(unmet(child, sampleProduct({ moods: ['dark'] })), ['age'])
  assert.deepEqual(unmet(child, sampleProduct({ moods: ['funny'] })), [])
  assert.deepEqual(unmet(child, sampleProduct({ demographic: 'seinen', moods: [] })), ['age'])
})

test('relaxing drops the named conditions, and never a dislike or an age', () => {
  const all = having({
    avoid: [sampleAspect()],
    want: [sampleAspect({ text: '料理', genres: ['cooking'] })],
    limits: { age: 10, totalYenMax: 3000, volumesMax: 5, status: 'completed', inStock: true },
  })
  const left = relaxed(all, ['inStock', 'volumes', 'status', 'want', 'totalYen', 'avoid', 'age'])
  assert.deepEqual([left.limits, left.want, left.avoid], [{ age: 10 }, [], all.avoid])
})

test('a genre that is named is meant as it was said, and a mood is a matter of degree', () => {
  const wished = (text: string, over: object) => sampleAspect({ text, genres: [], ...over })
  const mystery = wished('mystery', { genres: ['mystery'] })
  const world = wished('mystery of the sea', { genres: ['mystery'] })
  const strange = wished('strange', { moods: ['strange'] })
  assert.deepEqual(unmet({ want: [mystery] }), ['want'])
  assert.deepEqual(unmet({ want: [world] }), [])
  assert.deepEqual(unmet({ want: [strange] }), ['want'])
  assert.deepEqual(unmet({ want: [strange], like: ['one-piece'] }), [])
  assert.deepEqual(unmet({ want: [strange, wished('trains', {})] }), [])
})

test('what spoils a wished mood misses the wish', () => {
  const light = sampleAspect({ text: '気楽に読める', genres: [], moods: ['light'] })
  assert.deepEqual(unmet({ want: [light], like: ['x'] }, sampleProduct({ moods: ['dark'] })), ['want'])
  assert.deepEqual(unmet({ want: [light], like: ['x'] }, sampleProduct({ moods: ['dark', 'light'] })), [])
  assert.deepEqual(unmet({ want: [light], like: ['x'] }, sampleProduct({ moods: ['epic'] })), [])
})
