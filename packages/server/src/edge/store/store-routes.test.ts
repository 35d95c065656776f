// The storefront's routes over a fake app: how a query is read, in which language it is answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

test('a query is read with its filters, its page and its limit', async () => {
  await using doors = await openDoors()
  const filters = 'genre=mecha&demographic=seinen&status=hiatus&inStock=true'
  const response = await doors.http.inject({ url: `/api/products?q=robots&limit=5&after=akira&${filters}` })
  assert.equal(response.statusCode, 200, response.body)
  assert.deepEqual(doors.app.searched, [
    {
      text: 'robots',
      language: 'en',
      limit: 5,
      after: 'akira',
      filters: { genre: 'mecha', demographic: 'seinen', status: 'hiatus', inStock: true },
    },
  ])
})

test('empty form fields count as absent', async () => {
  await using doors = await openDoors()
  const response = await doors.http.inject({
    url: '/api/products?q=&limit=&after=&genre=&demographic=&status=&inStock=&language=',
  })
  assert.equal(response.statusCode, 200, response.body)
  assert.deepEqual(doors.app.searched, [{ text: '', language: 'ja', limit: 10, after: '', filters: {} }])
})

test('the next page is named only while there is one', async () => {
  await using doors = await openDoors()
  const metadata = async (limit: number) =>
    (await doors.http.inject({ url: `/api/products?limit=${limit}` })).json().metadata
  assert.equal((await metadata(1)).next, 'one-piece')
  assert.equal('next' in (await metadata(2)), false)
})

test('the language is the requested one, else the query’s, else the browser’s, else Japanese', async () => {
  await using doors = await openDoors()
  const english = { 'accept-language': 'en-GB,en;q=0.9' }
  const japanese = { 'accept-language': 'ja' }
  const asked: [string, Record<string, string>, string][] = [
    ['language=en&q=進撃', japanese, 'en'],
    ['language=ja&q=titan', english, 'ja'],
    ['q=進撃', english, 'ja'],
    ['q=titan', japanese, 'en'],
    ['q=86', english, 'en'],
    ['', english, 'en'],
    ['', { 'accept-language': 'fr' }, 'ja'],
    ['', {}, 'ja'],
  ]
  for (const [query, headers, expected] of asked) {
    await doors.http.inject({ url: `/api/products?${encodeURI(query)}`, headers })
    assert.equal(doors.app.searched.at(-1)?.language, expected, query)
  }
  const contact = async (url: string, headers: Record<string, string>) =>
    (await doors.http.inject({ url, headers })).json().metadata.contact
  assert.equal(await contact('/api/faq', english), 'en')
  assert.equal(await contact('/api/faq?language=ja', english), 'ja')
})

test('an invalid query is INVALID_REQUEST with its field', async () => {
  await using doors = await openDoors()
  const wrong: [string, string][] = [
    ['/api/products?limit=0', 'limit'],
    ['/api/products?limit=51', 'limit'],
    ['/api/products?status=gone', 'status'],
    ['/api/products?inStock=perhaps', 'inStock'],
    ['/api/products?language=fr', 'language'],
    ['/api/products?genre=a&genre=b', 'genre'],
    [`/api/products?q=${'x'.repeat(501)}`, 'q'],
    ['/api/products/akira?language=fr', 'language'],
    ['/api/faq?language=fr', 'language'],
  ]
  for (const [url, field] of wrong) {
    const response = await doors.http.inject({ url })
    assert.equal(response.statusCode, 400, url)
    assert.deepEqual([response.json().error.code, response.json().error.details.field], ['INVALID_REQUEST', field])
  }
  assert.deepEqual(doors.app.searched, [])
})
