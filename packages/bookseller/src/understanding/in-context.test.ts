// A message after earlier turns: references become series, and refinements join earlier wishes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_WISH } from './ask.ts'
import type { Ask, Filters } from './ask.ts'
import { inContext } from './in-context.ts'
import type { PastTurn } from './in-context.ts'

const ask = (over: Partial<Ask> = {}): Ask => ({ kind: 'recommend', mentioned: [], wish: NO_WISH, ...over })
const wishing = (over: Partial<Ask['wish']>): Ask['wish'] => ({ ...NO_WISH, ...over })
const limited = (filters: Filters) => wishing({ filters })

const shown = [
  sampleProduct({ id: 'a', volumes: 12, pricePerVolumeYen: 500 }),
  sampleProduct({ id: 'b', volumes: 5, pricePerVolumeYen: 700 }),
  sampleProduct({ id: 'c', volumes: 30, pricePerVolumeYen: 600 }),
]
const sadRomance: PastTurn = { ask: ask({ wish: wishing({ genres: ['romance'], moods: ['sad'] }) }), shown }

test('"the second one" is the second card, and "the last one" the last card', () => {
  const second = ask({ kind: 'price', reference: { kind: 'ordinal', index: 1 } })
  assert.deepEqual(inContext(second, [sadRomance]).mentioned, ['b'])
  const last = ask({ kind: 'about', reference: { kind: 'ordinal', index: -1 } })
  assert.deepEqual(inContext(last, [{ ...sadRomance, shown: shown.slice(0, 2) }]).mentioned, ['b'])
})

test('an ordinal counts in the last list, even after turns about one series; beyond its end it refers to nothing', () => {
  const one: PastTurn = { ask: ask({ kind: 'price' }), shown: [shown[1]!] }
  const third = ask({ kind: 'about', reference: { kind: 'ordinal', index: 2 } })
  assert.deepEqual(inContext(third, [sadRomance, one]).mentioned, ['c'])
  const { kind, mentioned } = inContext(third, [{ ...sadRomance, shown: shown.slice(0, 2) }])
  assert.deepEqual([kind, mentioned], ['unknown', []])
})

test('a new limit removes the opposite one', () => {
  const short: PastTurn = { ask: ask({ wish: limited({ volumesMax: 5, priceYenMax: 500 }) }), shown }
  const { wish } = inContext(ask({ kind: 'refine', than: 'longer' }), [short])
  assert.deepEqual(wish.filters, { volumesMin: 31, priceYenMax: 500 })
  assert.deepEqual(inContext(ask({ kind: 'refine', than: 'dearer' }), [short]).wish.filters, {
    volumesMax: 5,
    priceYenMin: 701,
  })
})

test('"it" is the first of the series shown last, and "all" are all of them', () => {
  const past = [
    sadRomance,
    { ask: ask({ kind: 'about' }), shown: [shown[2]!] },
    { ask: ask({ kind: 'thanks' }), shown: [] },
  ]
  assert.deepEqual(inContext(ask({ kind: 'price', reference: { kind: 'it' } }), past).mentioned, ['c'])
  assert.deepEqual(inContext(ask({ kind: 'compare', reference: { kind: 'all' } }), [sadRomance]).mentioned, [
    'a',
    'b',
    'c',
  ])
})

test('a reference to nothing is not understood, instead of reported as missing from the catalogue', () => {
  const { kind, followsUp } = inContext(ask({ kind: 'price', reference: { kind: 'it' } }), [])
  assert.deepEqual([kind, followsUp], ['unknown', false])
})

test('a name takes precedence over a reference', () => {
  const named = ask({ kind: 'price', mentioned: ['x'], reference: { kind: 'it' } })
  assert.deepEqual(inContext(named, [sadRomance]).mentioned, ['x'])
})

test('shorter, longer and cheaper are compared with the series that were shown', () => {
  const filtersFor = (than: NonNullable<Ask['than']>) =>
    inContext(ask({ kind: 'refine', than }), [sadRomance]).wish.filters
  assert.deepEqual(filtersFor('shorter'), { volumesMax: 4 })
  assert.deepEqual(filtersFor('longer'), { volumesMin: 31 })
  assert.deepEqual(filtersFor('cheaper'), { priceYenMax: 499 })
})

test('a refinement extends the earlier wish; without earlier turns the same words are a new wish', () => {
  const shorter = ask({ kind: 'refine', than: 'shorter', wish: limited({ volumesMax: 10 }) })
  const after = inContext(shorter, [sadRomance])
  assert.deepEqual(
    [after.kind, after.wish.genres, after.wish.moods, after.followsUp],
    ['recommend', ['romance'], ['sad'], true],
  )
  const alone = inContext(shorter, [])
  assert.deepEqual([alone.kind, alone.wish.filters, alone.followsUp], ['recommend', { volumesMax: 10 }, false])
})

test('a mood alone refines the wish and removes opposite moods', () => {
  const { wish } = inContext(ask({ bare: true, wish: wishing({ moods: ['light'] }) }), [sadRomance])
  assert.deepEqual([wish.genres, wish.moods], [['romance'], ['light']])
  const hopeful = inContext(ask({ bare: true, wish: wishing({ moods: ['hopeful'] }) }), [sadRomance])
  assert.deepEqual(hopeful.wish.moods, ['sad', 'hopeful'])
})

test('a new genre or a whole sentence is a new wish', () => {
  const genre = inContext(ask({ bare: true, wish: wishing({ genres: ['horror'] }) }), [sadRomance])
  assert.deepEqual([genre.wish.genres, genre.wish.moods, genre.followsUp], [['horror'], [], false])
  const sentence = inContext(ask({ wish: wishing({ moods: ['funny'] }) }), [sadRomance])
  assert.deepEqual(sentence.wish.genres, [])
})

test('"others" excludes all series shown so far; without that word they may appear again', () => {
  const older = { ask: sadRomance.ask, shown: [sampleProduct({ id: 'z' })] }
  assert.deepEqual(inContext(ask({ kind: 'refine', others: true }), [older, sadRomance]).exclude, ['z', 'a', 'b', 'c'])
  assert.deepEqual(inContext(ask({ bare: true, wish: limited({ inStock: true }) }), [sadRomance]).exclude, [])
})

test('a refinement of "like X" is still "like X"', () => {
  const likeX: PastTurn = { ask: ask({ kind: 'like', mentioned: ['x'] }), shown }
  const { kind, mentioned } = inContext(ask({ kind: 'refine', others: true }), [likeX])
  assert.deepEqual([kind, mentioned], ['like', ['x']])
})
