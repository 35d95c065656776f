// Which pages may use us in a browser, and whose word about the address counts.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { addressed, originAllowed, pageOrigin } from './origin.ts'

const request = (headers: Record<string, string>) => ({ headers, socket: {} }) as unknown as IncomingMessage

test('own pages, configured pages and non-browsers are allowed, others are not', () => {
  const server = { allowedOrigins: ['https://shop.example'], publicUrl: 'https://assist.example' }
  const plain = { host: 'a:8080', secure: false }
  assert.equal(originAllowed(undefined, plain, server), true)
  assert.equal(originAllowed('http://a:8080', plain, server), true)
  assert.equal(originAllowed('http://a:8080', { ...plain, host: 'A:8080' }, server), true)
  assert.equal(originAllowed('https://shop.example', plain, server), true)
  assert.equal(originAllowed('https://assist.example', plain, server), true)
  assert.equal(originAllowed('https://a', { host: 'a:443', secure: true }, server), true)
  const foreign = ['http://a:8081', 'http://a', 'null', '', 'https://shop.example.evil', 'https://evil/a:8080']
  for (const origin of foreign) assert.equal(originAllowed(origin, plain, server), false, origin)
  assert.equal(originAllowed('null', { ...plain, host: '' }, server), false)
})

test('a page with another scheme is another origin', () => {
  const server = { allowedOrigins: [] }
  for (const origin of ['https://a:8080', 'ftp://a:8080', 'data://a:8080', 'ws://a:8080'])
    assert.equal(originAllowed(origin, { host: 'a:8080', secure: false }, server), false, origin)
  assert.equal(originAllowed('http://a:8080', { host: 'a:8080', secure: true }, server), false)
  assert.equal(originAllowed('https://a:8080', { host: 'a:8080', secure: true }, server), true)
})

test('a proxy’s host and scheme headers count only when it is trusted', () => {
  const headers = { host: 'inner:1', 'x-forwarded-host': 'evil, shop.example', 'x-forwarded-proto': 'http, https' }
  assert.deepEqual(addressed(request(headers), { trustProxy: false }), { host: 'inner:1', secure: false })
  assert.deepEqual(addressed(request(headers), { trustProxy: true }), { host: 'shop.example', secure: true })
  assert.deepEqual(addressed(request({}), { trustProxy: true }), { host: '', secure: false })
})

test('a page of our own is known by its origin, or by Sec-Fetch-Site where the browser sends none', () => {
  const asked = { host: 'a:8080', secure: false }
  const own = 'http://a:8080'
  assert.equal(pageOrigin({ origin: own }, asked, {}), own)
  assert.equal(pageOrigin({ 'sec-fetch-site': 'same-origin' }, asked, {}), own)
  for (const site of ['same-site', 'cross-site', 'none', '']) {
    assert.equal(pageOrigin({ 'sec-fetch-site': site }, asked, {}), undefined, site)
    assert.equal(
      pageOrigin({ origin: 'https://shop.example', 'sec-fetch-site': site }, asked, {}),
      'https://shop.example',
    )
  }
  assert.equal(pageOrigin({ origin: 'https://evil', 'sec-fetch-site': 'same-origin' }, asked, {}), 'https://evil')
  assert.equal(pageOrigin({}, asked, {}), undefined)
  // A proxy may ask for us by another name than the browser.
  const server = { publicUrl: 'https://assist.example/' }
  assert.equal(pageOrigin({ origin: 'https://assist.example' }, asked, server), 'https://assist.example')
  assert.equal(pageOrigin({ 'sec-fetch-site': 'same-origin' }, asked, server), 'https://assist.example')
  assert.equal(pageOrigin({ 'sec-fetch-site': 'same-origin' }, { host: '', secure: false }, {}), undefined)
})
