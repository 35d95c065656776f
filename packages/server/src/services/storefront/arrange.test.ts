// Filters, orders and the shelves of the front page, over a few series.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genreCounts, matches, sorted } from './arrange.ts'
import { frontShelves } from './front.ts'
import type { ShelvedSeries } from './shelf.ts'

const series = (id: string, over: Partial<ShelvedSeries> = {}): ShelvedSeries => ({
  id,
  title: { ja: id, en: id, romaji: id },
  volumes: 10,
  pricePerVolumeYen: 500,
  totalYen: 5000,
  stock: 3,
  genres: [id],
  namedBy: 0,
  ...over,
})

test('each filter leaves out what exceeds it, and what the shop does not know', () => {
  const one = series('a', { age: 12, status: 'running', demographic: 'seinen' })
  for (const fits of [
    { priceMax: 500 },
    { totalMax: 5000 },
    { volumesMax: 10 },
    { age: 12 },
    { status: 'running' },
  ] as const)
    assert.equal(matches(one, fits), true, JSON.stringify(fits))
  for (const misses of [{ priceMax: 499 }, { totalMax: 4999 }, { volumesMax: 9 }, { age: 10 }, { genre: 'x' }] as const)
    assert.equal(matches(one, misses), false, JSON.stringify(misses))
  assert.equal(matches(series('b'), { age: 18 }), false)
  assert.equal(matches(series('b', { stock: 0 }), { inStock: true }), false)
})

test('each order has its own first', () => {
  const shelf = [
    series('c', { firstYear: 2020 }),
    series('b', { namedBy: 4, volumes: 30 }),
    series('a', { pricePerVolumeYen: 400 }),
    series('d', { volumes: 1, title: { ja: 'あ', en: 'The zebra', romaji: 'A' } }),
  ]
  const first = (sort: Parameters<typeof sorted>[1], language: 'ja' | 'en' = 'en') =>
    sorted(shelf, sort, language)[0]?.id
  assert.deepEqual(
    [first('new'), first('popular'), first('price'), first('length'), first('title')],
    ['c', 'b', 'a', 'd', 'a'],
  )
  assert.equal(sorted(shelf, 'title', 'en').at(-1)?.id, 'd')
})

test('genres are counted, the most common first', () => {
  const shelf = [series('a', { genres: ['x', 'y'] }), series('b', { genres: ['y'] })]
  assert.deepEqual(genreCounts(shelf), [
    ['y', 2],
    ['x', 1],
  ])
})

test('picks are the same all day, other ones the next, in stock and for all ages; coming volumes are in order', () => {
  const all = Array.from({ length: 60 }, (_, index) =>
    series(`s${index}`, { stock: index % 3, age: index % 2 === 0 ? 8 : 18, genres: [`g${index % 7}`] }),
  )
  const dated = [
    series('late', { releases: [{ volume: 2, date: '2026-12-02' }] }),
    series('soon', {
      releases: [
        { volume: 9, date: '2026-11-17' },
        { volume: 10, date: '2026-11-18' },
      ],
    }),
  ]
  const view = { all: [...all, ...dated], byId: new Map(), edition: 'e' }
  const picks = (day: string) => frontShelves(view, day, 'ja').picks.map(({ id }) => id)
  assert.deepEqual(picks('2026-11-18'), picks('2026-11-18'))
  assert.notDeepEqual(picks('2026-11-18'), picks('2026-11-19'))
  const { coming, picks: shown } = frontShelves(view, '2026-11-18', 'ja')
  assert.equal(shown.length, 3)
  assert.ok(shown.every(({ age, stock }) => stock > 0 && (age ?? 0) <= 12))
  assert.equal(new Set(shown.map(({ genres }) => genres[0])).size, 3)
  assert.deepEqual(
    coming.map(({ release, series: { id } }) => [id, release.volume]),
    [
      ['soon', 10],
      ['late', 2],
    ],
  )
})
