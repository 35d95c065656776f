// The pages of cart and orders over HTTP: one reader's data is not shown to another, no text becomes markup, refused forms lead back, and an
// unavailable store has a page of its own.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'

const PAGE = { accept: 'text/html' }
const FORM = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded' }

async function open(context: TestContext) {
  const webRoot = tempDir(context)
  writeFileSync(
    join(webRoot, 'index.html'),
    '<html lang="ja"><head><!--store:head--></head><body><!--store:body--></body></html>',
  )
  const doors = await openDoors({ webRoot })
  const title = { ja: '<b>ナナ</b>', en: 'Nana & "co"', romaji: 'Nana' }
  await doors.app.operators.products.replaceAll([sampleProduct({ id: 'nana', title, volumes: 2, stock: 3 })], 'test')
  const get = (url: string, cookie = '') => doors.http.inject({ url, headers: { ...PAGE, cookie } })
  const submit = (url: string, fields: Record<string, string>, cookie = '') =>
    doors.http.inject({
      method: 'POST',
      url,
      headers: { ...FORM, cookie },
      payload: new URLSearchParams(fields).toString(),
    })
  const cookie = String((await get('/cart')).headers['set-cookie']).split(';')[0] ?? ''
  return { ...doors, cookie, get, submit }
}

test('a form adds to the reader’s cart, whose page escapes every text and is stored by no cache', async (context) => {
  await using doors = await open(context)
  const added = await doors.submit('/cart', { productId: 'nana', volume: 'all', next: '/en/cart' }, doors.cookie)
  assert.deepEqual([added.statusCode, added.headers.location], [303, '/en/cart'])
  const page = await doors.get('/cart', doors.cookie)
  assert.match(page.body, /&lt;b&gt;ナナ&lt;\/b&gt;/)
  assert.doesNotMatch(page.body, /<b>ナナ/)
  assert.match(page.body, /data-count="2"/)
  assert.match(String(page.headers['cache-control']), /^private/)
  assert.match(page.body, /noindex/)
  assert.match((await doors.get('/en/cart')).body, /data-testid="cart-empty"/, 'another reader has another cart')
})

test('a refused form leads back to its page with the error, and only known errors are shown', async (context) => {
  await using doors = await open(context)
  const submit = async (fields: Record<string, string>) =>
    (await doors.submit('/cart', { next: '/cart', ...fields }, doors.cookie)).headers.location
  assert.equal(await submit({ productId: 'nobody', volume: '1' }), '/cart?error=NOT_FOUND')
  assert.equal(await submit({ productId: 'nana', volume: 'x' }), '/cart?error=INVALID_REQUEST')
  assert.equal(
    await submit({ productId: 'nana', volume: '9', next: '//evil.example' }),
    '/?error=INVALID_REQUEST.not-sold',
  )
  assert.match((await doors.get('/cart?error=OUT_OF_STOCK', doors.cookie)).body, /role="alert"/)
  assert.doesNotMatch(
    (await doors.get('/cart?error=%3Cb%3E', doors.cookie)).body,
    /role="alert" data-testid="error-note"/,
  )
})

test('a form without the cookie leads back to its page, which gives the cookie and says what is missing', async (context) => {
  await using doors = await open(context)
  const form = { productId: 'nana', volume: '1', next: '/en/cart' }
  const refused = await doors.submit('/cart', form)
  assert.deepEqual(
    [refused.statusCode, refused.headers.location],
    [303, '/en/cart?error=UNAUTHENTICATED.cookie-required'],
  )
  const cookie = String(refused.headers['set-cookie']).split(';')[0] ?? ''
  const page = await doors.get(String(refused.headers.location), cookie)
  assert.match(page.body, /role="alert"[^>]*>[^<]*allow cookies/)
  assert.match(page.body, /data-testid="cart-empty"/)
  assert.equal((await doors.submit('/cart', form, cookie)).headers.location, '/en/cart')
  assert.match((await doors.get('/en/cart', cookie)).body, /data-count="1"/)
})

test('without the demo there are no pages of orders; an unavailable store has a page, and other pages go without the number', async (context) => {
  await using doors = await open(context)
  for (const path of ['/checkout', '/orders', '/sign-in']) assert.equal((await doors.get(path)).statusCode, 404, path)
  const down = () => Promise.reject(new StoreUnavailable('down', { mayHaveHappened: false }))
  doors.app.operators.carts.read = down
  const page = await doors.get('/cart', doors.cookie)
  assert.equal(page.statusCode, 503)
  assert.match(page.body, /data-testid="unavailable"/)
  assert.equal((await doors.get('/nowhere', doors.cookie)).statusCode, 404)
})
