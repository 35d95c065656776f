// The choice of cards for a comparison, and the rows of its table.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Product } from '../conversation/exchange.ts'
import { comparedMax, compareRows, differenceQuestion, toggled } from './compare.ts'

const product = (id: string, more: Partial<Product> = {}): Product => ({
  id,
  title: { ja: `題${id}`, en: `Title ${id}` },
  volumes: 10,
  pricePerVolumeYen: 500,
  stock: 9,
  url: `/series/${id}`,
  genres: [],
  ...more,
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => product(id)) as [Product, Product, Product, Product]

test('a chosen card is taken back by a second choice, and the first makes room beyond the most', () => {
  const chosen = [a, b, c, d].reduce<readonly Product[]>(toggled, [])
  assert.deepEqual([chosen.length, chosen.map(({ id }) => id)], [comparedMax, ['b', 'c', 'd']])
  assert.deepEqual(toggled(chosen, { ...c }), [b, d])
})

test('the rows have the facts of the cards, in the language of the reader', () => {
  const other = product('b', {
    totalYen: 4200,
    status: 'completed',
    authors: { ja: '作者', en: 'Author' },
    genres: ['sci-fi', 'gothic'],
  })
  const rows = compareRows([a, other], 'en')
  assert.deepEqual(Object.fromEntries(rows.map(({ word, cells }) => [word, cells])), {
    comparePrice: ['¥500', '¥500'],
    compareTotal: ['¥5,000', '¥4,200'],
    compareVolumes: ['10 vols', '10 vols'],
    compareStatus: [undefined, 'Completed'],
    compareStock: ['In stock', 'In stock'],
    compareAuthor: [undefined, 'Author'],
    compareGenres: [undefined, 'Sci-fi, gothic'],
  })
})

test('a fact that no series has is no row', () => {
  assert.ok(!compareRows([a, b], 'ja').some(({ word }) => word === 'compareAuthor' || word === 'compareStatus'))
})

test('the question about the difference names all of them', () => {
  assert.equal(differenceQuestion([a, b], 'ja'), '『題a』と『題b』の違いを教えてください')
  assert.equal(
    differenceQuestion([a, b, c], 'en'),
    'What is the difference between “Title a”, “Title b” and “Title c”?',
  )
})
