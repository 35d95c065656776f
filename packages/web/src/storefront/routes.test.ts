// Every address stands for one page, and filters that are written into an address are read from it unchanged.
import assert from 'node:assert/strict'
import test from 'node:test'
import { homeHref, isFiltered, noFilters, routeOf, seriesHref } from './routes.ts'

const at = (address: string) => routeOf(new URL(address, 'https://shop.example'))

test('each address is parsed to its page', () => {
  assert.deepEqual(at('/'), { page: 'home', filters: noFilters })
  assert.deepEqual(at('/series/akira'), { page: 'series', id: 'akira' })
  assert.deepEqual(at('/series/akira/'), { page: 'series', id: 'akira' })
  assert.deepEqual(at('/support'), { page: 'support' })
  for (const address of ['/series', '/series/', '/series/a/b', '/nowhere', '/series/%E3%81']) {
    assert.deepEqual(at(address), { page: 'not-found' }, address)
  }
})

test('filters are the same after they were written to an address and read again', () => {
  const filters = {
    q: '進撃 & 巨人',
    genre: 'dark-fantasy',
    demographic: 'shounen',
    status: 'completed',
    inStock: true,
  }
  assert.deepEqual(at(homeHref(filters)), { page: 'home', filters })
  assert.equal(homeHref(noFilters), '/')
  assert.deepEqual([isFiltered(filters), isFiltered(noFilters)], [true, false])
})

test('an id is the same after it was written to an address and read again', () => {
  assert.deepEqual(at(seriesHref('a b/c')), { page: 'series', id: 'a b/c' })
})
