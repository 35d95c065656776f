// The rough choice among all products: visiting only those of a required key must not change which are chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedFilter, ShelfView } from './filters.ts'
import { coarse, nearest } from './nearest.ts'
import { quantised } from './shelf-entry.ts'
import { ShelfBuilder } from './shelf.ts'
import type { Shelf } from './shelf.ts'
import type { Filters } from './wish.ts'
import { NO_WISH } from './wish.ts'

const DIMENSIONS = 48
const COUNT = 400
let state = 7
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
const someVector = () => quantised(Float32Array.from({ length: DIMENSIONS }, (_, k) => (random() - 0.5) / (1 + k / 8)))

function someShelf(): Shelf {
  const builder = new ShelfBuilder(DIMENSIONS)
  for (let number = 0; number < COUNT; number += 1) {
    const keys = [`by:${number % 40}`, `status:${['completed', 'running', 'hiatus'][number % 3]}`, `for:${number % 2}`]
    builder.add({ id: `p${number}`, volumes: number % 30, fame: 0, keys }, someVector())
  }
  return builder.shelf(() => ({ words: new Uint32Array() }))
}

const shelf = someShelf()
const offerOf = () => ({ pricePerVolumeYen: 500, totalYen: 5000, stock: 1 })
const parts = { shelf, offerOf }

function byFullScan(own: Int8Array, filters: Filters, countMax: number): readonly number[] {
  const scored = Array.from({ length: COUNT }, (_, product) => {
    const vector = shelf.vectors.at(product).subarray(0, 32)
    return {
      product,
      score: Math.max(
        0,
        vector.reduce((sum, value, k) => sum + value * own[k]!, 0),
      ),
    }
  })
  return scored
    .filter(({ product }) => failedFilter(new ShelfView(shelf, offerOf, product), filters) === undefined)
    .sort((a, b) => b.score - a.score)
    .slice(0, countMax)
    .map(({ product }) => product)
}

test('the same products are chosen as by comparing all of them in full', () => {
  const conditions: readonly Filters[] = [
    {},
    { volumesMax: 5 },
    { author: '7' },
    { author: 'nobody' },
    { status: 'running' },
    { status: 'completed', demographic: '1', volumesMin: 10 },
  ]
  for (const filters of conditions) {
    const own = someVector()
    const products = coarse(shelf, [own])
    const scoreOf = (product: number) => Math.max(0, products[product]!)
    const chosen = nearest(parts, { ...NO_WISH, filters }, { countMax: 8, scoreOf })
    assert.deepEqual(chosen, byFullScan(own, filters, 8), JSON.stringify(filters))
  }
})

test('a product is as near as to the nearest of several directions', () => {
  const directions = [someVector(), someVector(), someVector()]
  const apart = directions.map((direction) => coarse(shelf, [direction]).slice())
  const together = coarse(shelf, directions)
  for (let product = 0; product < COUNT; product += 1)
    assert.equal(together[product], Math.max(0, ...apart.map((products) => products[product]!)))
  assert.deepEqual(coarse(shelf, []), new Int32Array(COUNT))
})
