// The audit against a local registry: a serious advisory fails it, and a registry without advisories is reported.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { root } from './workspace.js'

const BULK = '/-/npm/v1/security/advisories/bulk'
const advisory = (severity) => ({
  id: 1,
  url: 'https://example.com/advisories/1',
  title: 'Requests are answered twice',
  severity,
  vulnerable_versions: '*',
})

/** A registry that knows `advisories` by package, or answers everything with `status`. */
async function registry(context, { advisories, status }) {
  const asked = []
  const server = createServer((request, response) => {
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const isAsked = request.url === BULK && status === undefined
      if (request.url === BULK) asked.push(bodyOf(request, Buffer.concat(pieces)))
      response.writeHead(isAsked ? 200 : (status ?? 404), { 'content-type': 'application/json' })
      response.end(isAsked ? JSON.stringify(advisories) : '{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  return { url: `http://127.0.0.1:${server.address().port}/`, asked }
}

function bodyOf({ headers }, body) {
  return JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8'))
}

/** Uses its own cache: npm caches advisories. */
async function audit(context, url) {
  const cache = mkdtempSync(join(tmpdir(), 'mangaassist-audit-'))
  context.after(() => rmSync(cache, { recursive: true, force: true }))
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: cache }
  const child = spawn(process.execPath, [join(root, 'scripts/audit.js')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const [code] = await once(child, 'close')
  return { code, lines: printed.trimEnd().split('\n') }
}

test('a high or critical advisory of a production package fails, and is named', async (context) => {
  const { url, asked } = await registry(context, { advisories: { fastify: [advisory('high')] } })
  const { code, lines } = await audit(context, url)
  assert.equal(code, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', /^high: fastify.*: Requests are answered twice https:\/\/example\.com/)
  assert.match(lines.at(-1) ?? '', /^Production packages with a high or critical advisory: .*fastify/)
  // Packages for tests and checks do not run in production.
  assert.ok('fastify' in asked[0])
  assert.ok(!('knip' in asked[0]))
})

test('a lesser advisory is listed and passes', async (context) => {
  const { url } = await registry(context, { advisories: { fastify: [advisory('moderate')] } })
  const { code, lines } = await audit(context, url)
  assert.equal(code, 0, lines.join('\n'))
  assert.match(lines[0] ?? '', /^moderate: fastify/)
  assert.equal(lines.at(-1), 'No production package has a known high or critical advisory.')
})

test('without advisories it passes and says so', async (context) => {
  const { url } = await registry(context, { advisories: {} })
  assert.deepEqual(await audit(context, url), {
    code: 0,
    lines: ['No production package has a known high or critical advisory.'],
  })
})

for (const status of [404, 405, 503]) {
  test(`a registry that answers ${status} is reported in one line, and passes`, async (context) => {
    const { url } = await registry(context, { status })
    const { code, lines } = await audit(context, url)
    assert.equal(code, 0)
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', new RegExp(`^The registry offers no advisories \\(${status} .*were not checked\\.$`))
  })
}

test('a registry that cannot be reached is reported in one line, and passes', async (context) => {
  const { code, lines } = await audit(context, 'http://127.0.0.1:1/')
  assert.deepEqual([code, lines.length], [0, 1], lines.join('\n'))
  assert.match(lines[0] ?? '', /^The registry offers no advisories \(.+\): the packages were not checked\.$/)
})
