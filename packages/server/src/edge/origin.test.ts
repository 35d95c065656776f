// Which pages a browser may use us from, and whose word about the address counts.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { addressed, originAllowed } from './origin.ts'

const request = (headers: Record<string, string>) => ({ headers, socket: {} }) as unknown as IncomingMessage

test('own pages, configured pages and non-browsers are allowed, everyone else is not', () => {
  const allowed = ['https://shop.example']
  assert.equal(originAllowed(undefined, 'a:8080', allowed), true)
  assert.equal(originAllowed('http://a:8080', 'a:8080', allowed), true)
  assert.equal(originAllowed('http://a:8080', 'A:8080', allowed), true)
  assert.equal(originAllowed('https://shop.example', 'a:8080', allowed), true)
  for (const origin of ['http://a:8081', 'http://a', 'null', '', 'https://shop.example.evil', 'https://evil/a:8080']) {
    assert.equal(originAllowed(origin, 'a:8080', allowed), false, origin)
  }
  assert.equal(originAllowed('null', '', allowed), false)
})

test('a proxy’s word about host and scheme counts only when it is trusted', () => {
  const headers = { host: 'inner:1', 'x-forwarded-host': 'evil, shop.example', 'x-forwarded-proto': 'http, https' }
  assert.deepEqual(addressed(request(headers), false), { host: 'inner:1', secure: false })
  assert.deepEqual(addressed(request(headers), true), { host: 'shop.example', secure: true })
  assert.deepEqual(addressed(request({}), true), { host: '', secure: false })
})
