// Addresses and what they ask for, both ways.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersOf, hrefIn, isFiltered, PLAIN_SHELF, shelfPath, shelfQueryOf } from './addresses.ts'

const read = (query: string) => shelfQueryOf(new URLSearchParams(query))

test('a shelf is in its address, and the address gives it back', () => {
  const query = {
    ...PLAIN_SHELF,
    q: '海賊 & 宝',
    genre: 'slice-of-life',
    status: 'completed',
    inStock: true,
    totalMax: 5000,
    volumesMax: 10,
    age: 0,
    sort: 'new',
    page: 3,
  } as const
  assert.deepEqual(shelfQueryOf(new URL(shelfPath(query), 'https://shop.example').searchParams), query)
  assert.equal(shelfPath(PLAIN_SHELF), '/')
  assert.equal(hrefIn('en', shelfPath({ ...PLAIN_SHELF, genre: 'horror' })), '/en/?genre=horror')
})

test('what is not understood counts as absent', () => {
  const odd = 'sort=best&status=gone&page=-1&priceMax=1e9&volumesMax=x&age=&inStock=yes&genre=&unknown=1'
  assert.deepEqual(read(odd), PLAIN_SHELF)
  assert.equal(read(`q=${'a'.repeat(500)}`).q.length, 200)
  assert.equal(read('page=99999999').page, 10_000)
})

test('an order and a page show all series; only given filters are passed on', () => {
  assert.equal(isFiltered(read('sort=price&page=2')), false)
  assert.equal(isFiltered(read('volumesMax=5')), true)
  assert.deepEqual(filtersOf(read('volumesMax=5&age=0&status=hiatus')), { volumesMax: 5, age: 0, status: 'hiatus' })
  assert.deepEqual(filtersOf(PLAIN_SHELF), {})
})
