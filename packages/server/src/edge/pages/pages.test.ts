// The built files: which address is which, with which status, and who may load what.
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ErrorEnvelope } from '@mangaassist/protocol'
import { Compile } from 'typebox/compile'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'

const DOCUMENT = '<!doctype html><html lang="ja"><!--store:head--><body><!--store:body--></body>'
const CONSOLE = '<!doctype html><title>console</title>'
const FRAME = '<!doctype html><title>frame</title>'
/** A pinned script, the panel, and modules that it loads later: hashes may end in a hyphen. */
const WIDGET_FILES = ['0123456789abcdef', 'panel-BB55KEys', 'ended-CBeZ_o2i', 'time-CCrowkx-'].map(
  (name) => `widget/${name}.js`,
)
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const envelope = Compile(ErrorEnvelope)

async function withPages(options: DoorOptions = {}) {
  const stack = new AsyncDisposableStack()
  const { path: webRoot } = stack.use(await mkdtempDisposable(join(tmpdir(), 'web-')))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), DOCUMENT)
  await writeFile(join(webRoot, 'console.html'), CONSOLE)
  await writeFile(join(webRoot, 'widget-frame.html'), FRAME)
  await mkdir(join(webRoot, 'widget'))
  for (const name of ['widget.js', 'widget.json', 'console.html.br', ...WIDGET_FILES])
    await writeFile(join(webRoot, name), '1')
  await writeFile(join(webRoot, 'assets', 'store-1234.js'), '1')
  const doors = stack.use(await openDoors({ ...options, webRoot }))
  return { ...doors, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

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

test('no document is served as a file, without the headers of its route', async () => {
  await using doors = await withPages()
  const spellings = [
    'console.html',
    'console%2Ehtml',
    'CONSOLE.HTML',
    './console.html',
    'x/../console.html',
    '/console.html',
  ]
  for (const name of [...spellings, 'console.html.br', 'console.html?x', 'index.html', 'widget-frame.html']) {
    const { body, statusCode } = await doors.http.inject({ url: `/${name}`, headers: { accept: '*/*' } })
    assert.deepEqual([statusCode >= 400, body.includes('<title>')], [true, false], name)
  }
})

test('the chat’s frame is for the shop’s own pages, runs our scripts only, and makes no guest', async () => {
  await using doors = await withPages({ server: { allowedOrigins: ['https://shop.example'] } })
  const response = await doors.http.inject({ url: '/widget/frame', headers: html })
  assert.deepEqual([response.statusCode, response.body], [200, FRAME])
  assert.equal(response.headers['set-cookie'], undefined)
  assert.equal(response.headers['access-control-allow-origin'], undefined)
  const policy = String(response.headers['content-security-policy'])
  assert.match(policy, /script-src 'self'.*frame-ancestors 'self' https:\/\/shop\.example$/)
  assert.doesNotMatch(policy, /unsafe/)
})

test('an unknown address returns a page with 404 in a browser, and JSON to a program', async () => {
  await using doors = await withPages()
  for (const url of ['/nothing', '/series', '/series/a/b', '/assets/gone.js', '/docsx']) {
    const page = await doors.http.inject({ url, headers: html })
    assert.equal(page.statusCode, 404, url)
    assert.match(page.body, /data-testid="not-found"/)
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
  const hashed = ['assets/store-1234.js', ...WIDGET_FILES].map((name) => `/${name}`)
  await using doors = await withPages({ server: { allowedOrigins: ['https://shop.example'] } })
  for (const origin of ['https://shop.example', 'https://elsewhere.example']) {
    for (const url of ['/widget.js', '/widget.json', ...hashed]) {
      const { headers, statusCode } = await doors.http.inject({ url, headers: { origin } })
      assert.equal(statusCode, 200)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['cache-control'], hashed.includes(url) ? 'public, max-age=31536000, immutable' : 'no-cache')
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
