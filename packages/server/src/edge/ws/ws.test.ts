// The WebSocket door over a fake app, with real sockets on loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import type { ClientOptions } from 'ws'
import { defaults } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { handMovedTime } from '#fixtures/edge/edge.ts'
import { Connection } from '../connection/connection.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

async function listening(options: DoorOptions = {}) {
  const doors = await openDoors(options)
  const address = (await doors.listen()).replace('http:', 'ws:')
  const connect = (more: { path?: string; protocols?: string[] } & ClientOptions = {}) =>
    new SocketClient(`${address}${more.path ?? '/ws'}`, more)
  return { ...doors, address, connect }
}

test('a client uses our subprotocol, or none, and is a guest by the handshake’s cookie', async () => {
  await using doors = await listening()
  const first = doors.connect()
  await first.until('ready')
  assert.equal(first.socket.protocol, 'mangaassist.v1')
  assert.match(
    first.setCookie ?? '',
    /^ma_guest=guest_\w+\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const { cookie } = first
  const again = doors.connect({ protocols: [], headers: { cookie } })
  await again.until('ready')
  assert.equal(again.setCookie, undefined)
  again.send({ type: 'chat', requestId: 'r', message: 'x' })
  await again.until('accepted')
  assert.equal(cookie.startsWith(`ma_guest=${doors.app.asked[0]?.principal.id}.`), true)
})

test('other paths and other protocols are not upgraded', async () => {
  await using doors = await listening()
  assert.equal(await doors.connect({ path: '/other' }).declined(), 404)
  assert.equal(await doors.connect({ protocols: ['graphql-ws'] }).declined(), 400)
  doors.readiness.state = 'lame-duck'
  await doors.connect().until('ready')
  doors.readiness.state = 'draining'
  assert.equal(await doors.connect().declined(), 503)
})

test('a foreign page and an unverifiable token get the reason and are closed with 1008', async () => {
  await using doors = await listening()
  for (const [headers, code] of [
    [{ origin: 'https://evil.example' }, 'FORBIDDEN'],
    [{ authorization: 'Bearer x' }, 'UNAUTHENTICATED'],
  ] as const) {
    const refused = doors.connect({ headers })
    assert.equal(await refused.closed, 1008)
    assert.deepEqual(
      refused.frames.map((frame) => frame.type === 'error' && frame.code),
      [code],
    )
    assert.equal(refused.setCookie, undefined)
  }
  const own = doors.connect({ headers: { origin: doors.address.replace('ws:', 'http:') } })
  await own.until('ready')
})

test('every close is counted by the code of the side that closed first, also where a client never answers', async () => {
  const time = handMovedTime()
  await using doors = await listening({ server: { connectionsMax: 3 }, clock: time.clock })
  const codes = () =>
    doors.telemetry.counted.filter(({ name }) => name === 'websocket_closed_total').map(({ fields }) => fields['code'])
  const [large, silent, leaving] = [doors.connect(), doors.connect(), doors.connect()]
  await Promise.all([large, silent, leaving].map((client) => client.until('ready')))
  for (let tries = 0; tries < 2; tries += 1) assert.equal(await doors.connect().closed, 4429)
  await waitUntil('the refused connections are counted', () => codes().length === 2)
  large.socket.send('x'.repeat(70_000))
  await waitUntil('the large frame is counted', () => codes().length === 3)
  leaving.socket.close(1000)
  await waitUntil('the leaving client is counted', () => codes().length === 4)
  assert.equal(await doors.connect({ headers: { authorization: 'Bearer x' } }).closed, 1008)
  await waitUntil('the unknown caller is counted', () => codes().length === 5)
  // It does not read the close frame, so it is cut.
  silent.socket.pause()
  const closing = doors.door.close()
  await waitUntil('the silent client is counted', async () => {
    await time.advance(500)
    return codes().length === 6
  })
  await closing
  assert.deepEqual(codes(), [4429, 4429, 1009, 1000, 1008, 1001])
})

test('beyond the limit a connection is closed with 4429, and a closed one makes room', async () => {
  await using doors = await listening({ server: { connectionsMax: 1 } })
  const first = doors.connect()
  await first.until('ready')
  assert.equal(await doors.connect().closed, 4429)
  first.socket.close()
  await waitUntil('the connection is gone', () => doors.door.size === 0)
  await doors.connect().until('ready')
})

test('guests of one network have a limit of connections, whatever their cookies; a closed one makes room', async () => {
  const address = { ...defaults.rates.address, connectionsMax: 2 }
  await using doors = await listening({ rates: { address }, server: { trustProxy: true } })
  const from = (network: string) => doors.connect({ headers: { 'x-forwarded-for': network } })
  const first = from('198.51.100.7')
  await first.until('ready')
  await from('198.51.100.7').until('ready')
  const refused = from('198.51.100.7')
  assert.equal(await refused.closed, 4429)
  assert.deepEqual(refused.of('error')[0]?.details, { scope: 'address-connections' })
  await from('198.51.100.8').until('ready')
  first.socket.close()
  await first.closed
  await waitUntil('a connection is gone', () => doors.door.size === 2)
  await from('198.51.100.7').until('ready')
})

test('beyond the shared rate a connection is closed with 4429 and a retry time', async () => {
  await using doors = await listening()
  doors.app.connectRefusal = new Refusal('RATE_LIMITED', { retryAfterMs: 1500, details: { scope: 'connections' } })
  const refused = doors.connect()
  assert.equal(await refused.closed, 4429)
  assert.deepEqual([refused.of('error')[0]?.code, refused.of('error')[0]?.retryAfterMs], ['RATE_LIMITED', 1500])
  doors.app.connectRefusal = undefined
  await doors.connect().until('ready')
  assert.equal(await doors.connect({ headers: { authorization: 'Bearer x' } }).closed, 1008)
  assert.equal(doors.app.connecting, 1, 'who was refused after all has given it back')
})

test('a question by WebSocket carries the pseudonym of its network, not its address', async () => {
  await using doors = await listening()
  const client = doors.connect()
  await client.until('ready')
  client.send({ type: 'chat', requestId: 'r', message: 'x' })
  await client.until('accepted')
  assert.match(doors.app.asked[0]?.network ?? '', /^net_[0-9a-f]{32}$/)
})

test('frames sent at once are handled in order', async () => {
  await using doors = await listening()
  const asking = doors.connect()
  await once(asking.socket, 'open')
  for (const requestId of ['a', 'b', 'c']) asking.send({ type: 'chat', requestId, message: requestId })
  await asking.until('accepted', 3)
  assert.equal(asking.frames[0]?.type, 'ready')
  assert.deepEqual(
    doors.app.asked.map((received) => received.requestId),
    ['a', 'b', 'c'],
  )
  asking.send({ type: 'stop', turnId: 'turn_1' })
  asking.send({ type: 'ping' })
  await asking.until('heartbeat')
  assert.deepEqual(doors.app.stopped, ['turn_1'])
})

test('a binary frame is refused and the connection stays; a frame too big closes it with 1009', async () => {
  await using doors = await listening()
  const odd = doors.connect()
  await odd.until('ready')
  odd.socket.send(Buffer.from('{"type":"ping"}'))
  const error = await odd.until('error')
  assert.equal(error.type === 'error' && error.code, 'INVALID_REQUEST')
  odd.send({ type: 'ping' })
  await odd.until('heartbeat')
  odd.socket.send('x'.repeat(70_000))
  assert.equal(await odd.closed, 1009)
})

test('closing the door sends readers the end of their turns, then asks every client to reconnect', async () => {
  await using doors = await listening()
  const reader = doors.connect()
  await reader.until('ready')
  reader.send({ type: 'chat', requestId: 'r', message: 'x' })
  await reader.until('accepted')
  const closing = doors.door.close()
  doors.app.turn('turn_1').say('bye')
  doors.app.turn('turn_1').end()
  await closing
  assert.equal(await reader.closed, 1001)
  assert.deepEqual(
    reader.frames.map((frame) => frame.type),
    ['ready', 'accepted', 'chunk', 'done'],
  )
})

test('clients that are dismissed are closed when they have read their turns, and a new one gets the reason', async () => {
  await using doors = await listening()
  const [reader, idle] = [doors.connect(), doors.connect()]
  await Promise.all([reader.until('ready'), idle.until('ready')])
  reader.send({ type: 'chat', requestId: 'r', message: 'x' })
  await reader.until('accepted')
  doors.readiness.state = 'draining'
  doors.app.leaving.refusal = new Refusal('MAINTENANCE', { details: { reason: 'draining' } })
  doors.door.dismiss()
  assert.equal(await idle.closed, 1001)
  assert.equal(await doors.connect().declined(), 503)
  assert.deepEqual(doors.app.refusals.at(-1)?.[0], { code: 'MAINTENANCE', reason: 'draining' })
  assert.equal(doors.door.size, 1)
  doors.app.turn('turn_1').end()
  assert.equal(await reader.closed, 1001)
  assert.equal(reader.of('done').length, 1)
})

test('a client that disappears ends its read and nothing else', async () => {
  await using doors = await listening()
  const reader = doors.connect()
  await reader.until('ready')
  reader.send({ type: 'chat', requestId: 'r', message: 'x' })
  await reader.until('accepted')
  reader.socket.terminate()
  await waitUntil('the reading has ended', () => doors.app.turn('turn_1').readers === 0)
  assert.deepEqual(doors.app.stopped, [])
})

test('a probe finds a peer that does not answer and ends its connection; others stay', async () => {
  const time = handMovedTime()
  await using doors = await listening({ clock: time.clock })
  const alive = doors.connect()
  await alive.until('ready')
  // The client library answers pings by itself, so this peer must be without it.
  const silent = doors.connect({ autoPong: false })
  await silent.until('ready')
  let pings = 0
  alive.socket.on('ping', () => (pings += 1))
  assert.equal(doors.door.size, 2)
  for (let round = 1; round <= 2; round += 1) {
    await time.advance(30_000)
    await waitUntil('a ping', () => pings >= round)
    // The answer to the ping was sent before this one: the server has read it when it answers.
    alive.socket.ping()
    await once(alive.socket, 'pong')
  }
  assert.equal(await silent.closed, 1006)
  await waitUntil('the connection is gone', () => doors.door.size === 1)
  assert.equal(alive.socket.readyState, alive.socket.OPEN)
})

test('every open connection learns when the server’s pressure changes', async () => {
  await using doors = await listening()
  const clients = [doors.connect(), doors.connect()]
  await Promise.all(clients.map((client) => client.until('ready')))
  doors.app.pressure.say('lanes', 'pause')
  await Promise.all(clients.map((client) => client.until('backpressure')))
  doors.app.pressure.say('lanes', 'none')
  await Promise.all(clients.map((client) => client.until('backpressure', 2)))
  assert.deepEqual(
    clients.map((client) => client.of('backpressure').map(({ action }) => action)),
    [
      ['pause', 'none'],
      ['pause', 'none'],
    ],
  )
})

test('a user has a limit of connections over all networks, and a closed one makes room', async () => {
  await using doors = await listening({ rates: { userConnectionsMax: 2 }, server: { trustProxy: true } })
  const first = doors.connect()
  await first.until('ready')
  const { cookie } = first
  const again = (network: string) => doors.connect({ headers: { cookie, 'x-forwarded-for': network } })
  await again('198.51.100.1').until('ready')
  const refused = again('198.51.100.2')
  assert.equal(await refused.closed, 4429)
  assert.deepEqual(refused.of('error')[0]?.details, { scope: 'connections-of-user' })
  await doors.connect().until('ready')
  first.socket.close()
  await waitUntil('a connection is gone', () => doors.door.size === 2)
  await again('198.51.100.3').until('ready')
})

test('connections of one network are limited, signed in or not, and a refusal releases everything', async () => {
  const address = { ...defaults.rates.address, connectionsMax: 3 }
  const apiKeys = [{ name: 'till', hash: secretHash('sk-till'), tier: 'free' }]
  await using doors = await listening({ rates: { address, userConnectionsMax: 2 }, auth: { apiKeys } })
  const key = { headers: { authorization: 'Bearer sk-till' } }
  await doors.connect(key).until('ready')
  await doors.connect(key).until('ready')
  for (let tries = 0; tries < 5; tries += 1) assert.equal(await doors.connect(key).closed, 4429)
  assert.equal(doors.app.connecting, 2, 'of the store’s rate, only what was opened is taken')
  await doors.connect().until('ready')
  for (let tries = 0; tries < 5; tries += 1) assert.equal(await doors.connect().closed, 4429)
  assert.equal(doors.app.connecting, 3)
})

test('an upgrade with invalid headers takes no seat', async () => {
  const address = { ...defaults.rates.address, connectionsMax: 1 }
  await using doors = await listening({ rates: { address } })
  for (let tries = 0; tries < 3; tries += 1) {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'short',
      'sec-websocket-version': '13',
    }
    const sent = request(`${doors.address.replace('ws', 'http')}/ws`, { headers, agent: false }).end()
    const [response] = await once(sent, 'response')
    assert.equal(response.statusCode, 400)
  }
  assert.equal(doors.app.connecting, 0)
  await doors.connect().until('ready')
})

test('a ping of the protocol is answered', async () => {
  await using doors = await listening()
  const client = doors.connect()
  await client.until('ready')
  client.socket.ping('are you there')
  const [data] = await once(client.socket, 'pong')
  assert.equal(String(data), 'are you there')
})

test('a flood of invalid frames is closed at once, and other connections stay', async (context) => {
  await using doors = await listening()
  let received = 0
  context.mock.method(Connection.prototype, 'receive', function receive(this: Connection) {
    received += 1
    this.receiveBinary()
  })
  const hostile = doors.connect()
  const other = doors.connect()
  await Promise.all([hostile.until('ready'), other.until('ready')])
  for (let sent = 0; sent < 5000; sent += 1) hostile.socket.send('{')
  assert.equal(await hostile.closed, 1008)
  assert.ok(hostile.of('error').length <= 11)
  assert.ok(received < 100, `${received} frames were handed on after the one that was too many`)
  context.mock.restoreAll()
  other.send({ type: 'ping' })
  await other.until('heartbeat')
})
