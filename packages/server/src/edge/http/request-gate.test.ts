// What one address may request of a node: over real sockets, with a stopped clock so that nothing refills.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { defaults } from '#config/config.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { handMovedTime } from '#fixtures/edge/edge.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

interface Asked {
  readonly path?: string
  readonly method?: string
  readonly body?: string
  readonly headers?: Record<string, string>
  /** The sender's own address: all of 127.0.0.0/8 is this machine. */
  readonly from?: string
}

async function gated(options: DoorOptions = {}) {
  const { advance, clock } = handMovedTime()
  const doors = await openDoors({ clock, ...options })
  const url = new URL(await doors.listen())
  const ask = async ({
    body,
    from = '127.0.0.2',
    headers = {},
    method = 'GET',
    path = '/api/sessions',
  }: Asked = {}) => {
    const target = { host: url.hostname, port: url.port, path, method, headers, localAddress: from, agent: false }
    const sent = request(target).end(body)
    const [response] = await once(sent, 'response')
    const text = (await response.toArray()).join('')
    return { status: response.statusCode as number, headers: response.headers, text }
  }
  const statuses = async (count: number, asked: Asked = {}) => {
    const seen: number[] = []
    for (let sent = 0; sent < count; sent += 1) seen.push((await ask(asked)).status)
    return seen
  }
  /** Whether the next connection is not read, and closed after a while. */
  const isDropped = async () => {
    const refused = assert.rejects(ask(), { code: 'ECONNRESET' })
    const dropped = () => doors.telemetry.counted.some(({ name }) => name === 'http_connection_dropped_total')
    await waitUntil('the connection is dropped', dropped)
    await advance(1000)
    await refused
  }
  return { ...doors, advance, url, ask, statuses, isDropped }
}

const rates = { ...defaults.rates, requests: { perSecond: 1, burst: 50 } }

test('an address has one rate over all routes, refused as 429 with a retry time; other addresses are not affected', async () => {
  await using doors = await gated({ rates })
  assert.deepEqual(await doors.statuses(11), [...Array.from({ length: 10 }, () => 200), 429])
  const refused = await doors.ask({ path: '/nothing.js' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(JSON.parse(refused.text).error.details.scope, 'requests')
  const v1 = JSON.parse((await doors.ask({ path: '/v1/models' })).text)
  assert.equal(v1.error.code, 'rate_limit_exceeded')
  assert.equal((await doors.ask({ path: '/healthz' })).status, 200)
  assert.equal((await doors.ask({ from: '127.0.0.3' })).status, 200)
  await doors.advance(60_000)
  assert.equal((await doors.ask()).status, 200)
})

test('a search costs more than a call, and a long prompt more than a short one', async () => {
  await using doors = await gated({ rates })
  assert.deepEqual(await doors.statuses(2, { path: '/api/products?limit=1&q=x' }), [200, 429])
  const prompt = { method: 'POST', path: '/v1/chat/completions', from: '127.0.0.3' }
  const headers = { 'content-type': 'application/json', authorization: 'Bearer guest' }
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x'.repeat(120_000) }] })
  doors.app.turn('turn_1').end()
  assert.notEqual((await doors.ask({ ...prompt, headers, body })).status, 429)
  assert.equal((await doors.ask({ ...prompt, headers, body })).status, 429)
})

test('another spelling of an address costs what the address costs', async () => {
  const spellings = ['/api/products?limit=1&%71=x', '/api/product%73?q=x', '/api/products#q=x', '/sitemap.xml']
  const absolute = ['/api/products?q=x', '/sitemap.xml', '/api/me/export', '?q=x'].map(
    (path) => `HTTP://localhost${path}`,
  )
  for (const path of [...spellings, ...absolute]) {
    await using doors = await gated({ rates })
    const [first, second] = await doors.statuses(2, { path })
    assert.notEqual(first, 429, path)
    assert.equal(second, 429, path)
  }
})

test('refused requests cost their sender: wrong tokens soon reach the limit, and are logged without an address', async () => {
  await using doors = await gated({ rates: { ...rates, requests: { perSecond: 1, burst: 200 } } })
  const headers = { authorization: 'Bearer wrong' }
  const tries = await doors.statuses(6, { path: '/api/admin/tiers', headers })
  assert.deepEqual(tries, [401, 401, 401, 401, 429, 429])
  const logged = doors.telemetry.logged.filter(({ event }) => event === 'admin.refused')
  assert.equal(logged.length, 4)
  assert.match(String(logged[0]?.fields.network), /^net_[0-9a-f]{32}$/)
  assert.equal((await doors.ask({ from: '127.0.0.3', path: '/api/sessions' })).status, 200)
})

test('a socket with too many pipelined requests is closed, also for health checks', async () => {
  await using doors = await gated()
  const socket = connect({ host: doors.url.hostname, port: Number(doors.url.port) })
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (data: Buffer) => (received += data.toString())).on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(1500))
  await once(socket, 'close')
  assert.ok(received.split('HTTP/1.1 200').length - 1 <= 32)
  assert.equal((await doors.ask({ path: '/healthz' })).status, 200)
})

test('a socket with too many requests is closed, also for health checks', async () => {
  await using doors = await gated()
  const socket = connect({ host: doors.url.hostname, port: Number(doors.url.port) })
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (data: Buffer) => (received += data.toString()))
  const closed = once(socket, 'close')
  for (let sent = 0; sent < 201; sent += 1) {
    const before = received.length
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await waitUntil('a response', () => received.length > before)
  }
  await closed
  assert.equal(received.split('HTTP/1.1 200').length - 1, 200)
  assert.equal(received.split('HTTP/1.1 429').length - 1, 1)
})

test('an address that continues although it is refused is closed unread, until its debt is paid', async () => {
  await using doors = await gated({ rates: { ...rates, requests: { perSecond: 1, burst: 5 } } })
  assert.deepEqual(await doors.statuses(2), [200, 429])
  await doors.isDropped()
  assert.equal((await doors.ask({ from: '127.0.0.3' })).status, 200)
  await doors.advance(20_000)
  assert.equal((await doors.ask()).status, 200)
})

test('behind a proxy each of its clients has its own rate', async () => {
  await using doors = await gated({ rates, server: { trustProxy: true } })
  const as = (client: string) => ({ headers: { 'x-forwarded-for': client } })
  assert.equal((await doors.statuses(11, as('198.51.100.1'))).at(-1), 429)
  assert.equal((await doors.ask(as('198.51.100.1:4711'))).status, 429)
  assert.equal((await doors.ask(as('198.51.100.2'))).status, 200)
})

test('connections of one address are limited, and closed ones make room', async () => {
  const address = { ...defaults.rates.address, connectionsMax: 1 }
  await using doors = await gated({ rates: { ...rates, address } })
  const dial = () =>
    connect({ host: doors.url.hostname, port: Number(doors.url.port), localAddress: '127.0.0.2' }).on('error', () => {})
  const sockets = [dial(), dial(), dial()]
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await doors.isDropped()
  assert.equal((await doors.ask({ from: '127.0.0.3' })).status, 200)
  for (const socket of sockets) socket.destroy()
  const open = promisify(doors.http.server.getConnections.bind(doors.http.server))
  await waitUntil('every connection is closed', async () => (await open()) === 0)
  assert.equal((await doors.ask()).status, 200)
})

test('upgrades and frames use the same rate as requests', async () => {
  await using doors = await gated({ rates: { ...rates, requests: { perSecond: 1, burst: 36 } } })
  const ws = () => new SocketClient(`${doors.url.href.replace('http', 'ws')}ws`, { localAddress: '127.0.0.2' })
  const [first, second] = [ws(), ws()]
  await Promise.all([first.until('ready'), second.until('ready'), ws().until('ready')])
  assert.equal(await ws().declined(), 429)
  first.send({ type: 'ping' })
  first.send({ type: 'ping' })
  await first.until('heartbeat', 1)
  await doors.advance(3000)
  await first.until('heartbeat', 2)
})

test('a request has thirty seconds to arrive, and that is checked every second', async () => {
  await using doors = await gated()
  const { server } = doors.http
  assert.deepEqual([server.requestTimeout, server.headersTimeout], [30_000, 30_000])
  assert.equal(server.maxConnections, defaults.server.connectionsMax + 4000)
  // Node shows this nowhere else; the default is 30 s, which lets a slow body live for over a minute.
  const held = Object.getOwnPropertySymbols(server).find((symbol) => /connectionsCheckingInterval/.test(String(symbol)))
  const timer = (server as unknown as Record<symbol, { _repeat?: number }>)[held ?? Symbol('none')]
  assert.equal(timer?._repeat, 1000)
})

test('searches of one address run one after another, and other addresses do not wait for them', async () => {
  await using doors = await openDoors()
  const address = await doors.listen()
  let inFlight = 0
  let most = 0
  const release: (() => void)[] = []
  doors.app.products = async () => {
    inFlight += 1
    most = Math.max(most, inFlight)
    await new Promise<void>((resolve) => release.push(resolve))
    inFlight -= 1
    return { items: [], total: 0, genres: [] }
  }
  const search = () => fetch(`${address}/api/products?q=x`).then(({ status }) => status)
  const searches = [search(), search(), search()]
  for (let done = 0; done < 3; done += 1) {
    await waitUntil('the next search', () => release.length > done)
    assert.equal((await fetch(`${address}/api/faq`)).status, 200)
    release[done]?.()
  }
  assert.deepEqual([await Promise.all(searches), most], [[200, 200, 200], 1])
})

test('the size of an operator’s import costs nothing', async () => {
  const auth = { admins: [{ name: 'aki', hash: secretHash('maa_gate') }] }
  await using doors = await gated({ rates, auth })
  const path = '/api/admin/catalogue/imports/none/rows'
  const body = JSON.stringify({ from: 0, rows: ['x'.repeat(100 * 1024)] })
  const asked = (token: string) => ({
    path,
    body,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  assert.deepEqual(await doors.statuses(3, asked('maa_gate')), [404, 404, 404])
  const wrong = await doors.ask({ ...asked('maa_other'), from: '127.0.0.3' })
  assert.equal(wrong.status, 401)
})
