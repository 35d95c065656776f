// The host names that the doors accept.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { hostCheck, isAnyHostAllowed } from './hosts.ts'

function allows(server: Partial<Config['server']>, host: string | undefined, localAddress = '127.0.0.1'): boolean {
  const headers = host === undefined ? {} : { host }
  return hostCheck({ ...defaults.server, ...server })({
    headers,
    rawHeaders: [],
    socket: { localAddress },
  } as unknown as IncomingMessage)
}

test('on loopback only names of this machine are accepted', () => {
  for (const host of [
    'localhost',
    'LOCALHOST:8080',
    'shop.localhost',
    '127.0.0.1:1',
    '127.1.2.3',
    '[::1]:80',
    'localhost.',
  ])
    assert.equal(allows({}, host), true, host)
  for (const host of [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '',
    undefined,
    'a b',
    'x@localhost',
  ])
    assert.equal(allows({}, host), false, host)
})

test('the bound address, the requested address, configured origins and the public name are accepted too', () => {
  const server = {
    host: '192.0.2.7',
    publicUrl: 'https://assist.shop.example',
    allowedOrigins: ['https://shop.example'],
  }
  for (const host of ['192.0.2.7:8080', 'assist.shop.example', 'shop.example', 'localhost'])
    assert.equal(allows(server, host), true, host)
  assert.equal(allows(server, '192.0.2.8'), false)
  assert.equal(allows({ ...server, host: '::' }, '192.0.2.8:8080', '::ffff:192.0.2.8'), true)
  assert.equal(allows({ ...server, host: '::' }, '[2001:db8::8]', '2001:db8::8'), true)
  assert.equal(allows(server, 'evil.example'), false)
})

test('without a public name a server reachable from elsewhere accepts any valid host, which causes a warning', () => {
  for (const server of [{ host: '0.0.0.0' }, { host: '::' }, { trustProxy: true }]) {
    assert.equal(allows(server, 'anything.example'), true)
    // Pages name themselves by their host.
    for (const host of ['a b', 'a<b>', 'x@y', 'a/b', 'a"b', "a'b", 'a&b', undefined])
      assert.equal(allows(server, host), false, host)
    assert.equal(isAnyHostAllowed({ ...defaults.server, ...server }), true)
    assert.equal(allows({ ...server, publicUrl: 'https://a.example' }, 'anything.example'), false)
  }
  assert.equal(isAnyHostAllowed(defaults.server), false)
})

test('a request with several hosts is refused, whichever of them is ours', async () => {
  await using doors = await openDoors()
  const { port } = new URL(await doors.listen())
  const answered = async (...hosts: readonly string[]) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    const lines = ['GET /api/store HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close']
    socket.end(`${lines.join('\r\n')}\r\n\r\n`)
    return (await socket.toArray()).join('').slice(0, 'HTTP/1.1 200'.length)
  }
  assert.equal(await answered('localhost'), 'HTTP/1.1 404')
  assert.equal(await answered('localhost', 'evil.example'), 'HTTP/1.1 403')
  assert.equal(await answered('localhost', 'localhost'), 'HTTP/1.1 403')
})

test('a rebound name reaches only the health checks, whatever its origin', async () => {
  await using doors = await openDoors()
  const address = await doors.listen()
  const host = 'evil.example:8080'
  for (const [method, url] of [
    ['GET', '/api/sessions'],
    ['POST', '/api/chat'],
    ['GET', '/v1/models'],
    ['GET', '/metrics'],
    ['OPTIONS', '/api/chat'],
    ['GET', '/nothing'],
  ] as const) {
    const headers = { host, origin: 'http://evil.example:8080', 'access-control-request-method': 'POST' }
    const response = await doors.http.inject({ method, url, headers })
    assert.equal(response.statusCode, 403, `${method} ${url}`)
    assert.equal(response.headers['set-cookie'], undefined)
  }
  for (const url of ['/healthz', '/readyz'])
    assert.equal((await doors.http.inject({ url, headers: { host } })).statusCode, 200)
  const socket = new SocketClient(`${address.replace('http', 'ws')}/ws`, { headers: { host } })
  assert.equal(await socket.closed, 1008)
  assert.equal(socket.of('error')[0]?.code, 'FORBIDDEN')
})
