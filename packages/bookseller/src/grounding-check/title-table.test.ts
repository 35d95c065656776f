// The titles of a whole catalogue, by hash.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct, sampleShelves } from '../../test/fixtures/samples.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { titleTable } from './title-table.ts'

async function* each(products: readonly Product[]): AsyncGenerator<Product> {
  yield* products
}

test('a series is found by each of its titles, whatever the case, width and punctuation', async () => {
  const table = await titleTable(each(sampleShelves()))
  for (const name of ['鬼滅の刃', 'demon slayer', 'Ｋｉｍｅｔｓｕ　ｎｏ　Ｙａｉｂａ'])
    assert.deepEqual(table.idsOf(name), ['kimetsu-no-yaiba'], name)
  assert.deepEqual(table.idsOf('よつばと！'), ['yotsuba-to'])
  for (const name of ['', '鬼滅', '炭治郎']) assert.deepEqual(table.idsOf(name), [], name)
})

test('series of the same title are all found', async () => {
  const table = await titleTable(each([sampleProduct({ id: 'a' }), sampleProduct({ id: 'b' })]))
  assert.deepEqual(table.idsOf('鬼滅の刃').toSorted(), ['a', 'b'])
})

test('an empty catalogue has no title', async () => {
  assert.deepEqual((await titleTable(each([]))).idsOf('鬼滅の刃'), [])
})
