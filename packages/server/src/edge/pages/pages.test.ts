// The pages: which address is which document, with which status, and who may load what.
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ErrorEnvelope } from '@mangaassist/protocol'
import { Compile } from 'typebox/compile'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'

const DOCUMENT = '<!doctype html><title>store</title>'
const CONSOLE = '<!doctype html><title>console</title>'
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const envelope = Compile(ErrorEnvelope)

async function withPages(options: DoorOptions = {}) {
  const stack = new AsyncDisposableStack()
  const { path: webRoot } = stack.use(await mkdtempDisposable(join(tmpdir(), 'web-')))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), DOCUMENT)
  await writeFile(join(webRoot, 'console.html'), CONSOLE)
  await writeFile(join(webRoot, 'widget.js'), '1')
  await writeFile(join(webRoot, 'assets', 'store-1234.js'), '1')
  const doors = stack.use(await openDoors({ ...options, webRoot }))
  return { ...doors, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('every address of the storefront returns its document', async () => {
  await using doors = await withPages()
  for (const url of ['/', '/support', '/support/', '/series/akira', '/series/akira/', '/series/86', '/support?x=1']) {
    for (const headers of [html, { accept: '*/*' }]) {
      const response = await doors.http.inject({ url, headers })
      assert.deepEqual([response.statusCode, response.body], [200, DOCUMENT], url)
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
      assert.match(String(response.headers['cache-control']), /^private, no-(?:cache|store)$/)
      assert.match(String(response.headers['content-security-policy']), /script-src 'self'/)
    }
    assert.equal((await doors.http.inject({ method: 'HEAD', url })).statusCode, 200)
  }
  const page = await doors.http.inject({ url: '/series/akira', headers: html })
  assert.match(String(page.headers['set-cookie']), /^ma_guest=/)
})

test('every address of the console returns its document, which no cache stores, no page frames, and which makes no guest', async () => {
  await using doors = await withPages({ server: { allowedOrigins: ['https://shop.example'] } })
  for (const url of ['/console', '/console/', '/console/turns', '/console/models/a%2Fb%40c?x=1']) {
    const response = await doors.http.inject({ url, headers: html })
    assert.deepEqual([response.statusCode, response.body], [200, CONSOLE], url)
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.equal(response.headers['set-cookie'], undefined)
    const policy = String(response.headers['content-security-policy'])
    assert.match(policy, /script-src 'self'.*frame-ancestors 'none'$/)
    assert.doesNotMatch(policy, /shop\.example|unsafe/)
  }
  assert.equal((await doors.http.inject({ url: '/consolex', headers: html })).statusCode, 404)
})

test('an unknown address returns the document with 404 in a browser, and JSON to a program', async () => {
  await using doors = await withPages()
  for (const url of ['/nothing', '/series', '/series/a/b', '/assets/gone.js', '/docsx']) {
    const page = await doors.http.inject({ url, headers: html })
    assert.deepEqual([page.statusCode, page.body], [404, DOCUMENT], url)
    const program = await doors.http.inject({ url, headers: { accept: '*/*' } })
    assert.deepEqual([program.statusCode, envelope.Check(program.json())], [404, true], url)
  }
})

test('API paths return JSON, also in a browser', async () => {
  await using doors = await withPages()
  for (const url of ['/api', '/api/nothing', '/api?x=1', '/ws']) {
    const response = await doors.http.inject({ url, headers: html })
    assert.deepEqual([response.statusCode, envelope.Check(response.json())], [404, true], url)
  }
  const v1 = await doors.http.inject({ url: '/v1', headers: html })
  assert.deepEqual([v1.statusCode, v1.json().error.code], [404, 'unknown_url'])
  const posted = await doors.http.inject({ method: 'POST', url: '/support', headers: html })
  assert.deepEqual([posted.statusCode, envelope.Check(posted.json())], [404, true])
})

test('the widget and the assets may be loaded by any site, the pages may not', async () => {
  await using doors = await withPages({ server: { allowedOrigins: ['https://shop.example'] } })
  for (const origin of ['https://shop.example', 'https://elsewhere.example']) {
    for (const url of ['/widget.js', '/assets/store-1234.js']) {
      const { headers, statusCode } = await doors.http.inject({ url, headers: { origin } })
      assert.equal(statusCode, 200)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['set-cookie'], undefined)
    }
    const page = await doors.http.inject({ url: '/', headers: { origin } })
    assert.equal(page.headers['cross-origin-resource-policy'], 'same-origin')
    assert.notEqual(page.headers['access-control-allow-origin'], '*')
  }
  const again = await doors.http.inject({ url: '/widget.js' })
  const { etag } = again.headers
  const unchanged = await doors.http.inject({ url: '/widget.js', headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([unchanged.statusCode, unchanged.headers['cross-origin-resource-policy']], [304, 'cross-origin'])
})

test('scripts, styles and connections are our own, and nothing is inline', async () => {
  await using doors = await withPages()
  const policy = String((await doors.http.inject({ url: '/' })).headers['content-security-policy'])
  assert.doesNotMatch(policy, /unsafe/)
  for (const directive of ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"])
    assert.ok(policy.split('; ').includes(directive), directive)
})
