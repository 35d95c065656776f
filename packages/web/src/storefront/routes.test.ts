// Every address means one page, and what is written into an address is read from it again.
import assert from 'node:assert/strict'
import test from 'node:test'
import { homeHref, isFiltered, noFilters, routeOf, seriesHref } from './routes.ts'

const at = (address: string) => routeOf(new URL(address, 'https://shop.example'))

test('addresses mean pages', () => {
  assert.deepEqual(at('/'), { page: 'home', filters: noFilters })
  assert.deepEqual(at('/series/akira'), { page: 'series', id: 'akira' })
  assert.deepEqual(at('/series/akira/'), { page: 'series', id: 'akira' })
  assert.deepEqual(at('/support'), { page: 'support' })
  for (const address of ['/series', '/series/', '/series/a/b', '/nowhere', '/series/%E3%81']) {
    assert.deepEqual(at(address), { page: 'not-found' }, address)
  }
})

test('filters survive the way through an address', () => {
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

test('an id survives too', () => {
  assert.deepEqual(at(seriesHref('a b/c')), { page: 'series', id: 'a b/c' })
})
