// Signing in over both doors, with real tokens of a real issuer: the principal, what happens to the guest, tickets, and
// connections whose token expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket } from '@mangaassist/protocol'
import { joseTokenVerifier } from '#adapters/jose/token-verifier.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { defaults } from '#config/config.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { FakeApp, guest, handMovedTime, settle } from '#fixtures/edge/edge.ts'
import { FakeTransport } from '#fixtures/edge/fake-transport.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { signedToken, signingPair, startKeyServer } from '#fixtures/edge/token-issuer.ts'
import { Connection } from '../connection/connection.ts'
import { TimerWheel } from '../connection/timer-wheel.ts'
import { refuser } from '../http/refuse.ts'

const SHOP = 'https://shop.example'
const KEY = 'mak_aSecretOfTheRobot'
const now = () => Math.floor(Date.now() / 1000)

async function open(options: DoorOptions = {}) {
  const pair = await signingPair('k1')
  const server = await startKeyServer(pair)
  const verifier = joseTokenVerifier({
    clock: systemClock(),
    telemetry: memoryTelemetry(),
    issuers: [
      {
        issuer: 'https://id.example',
        audience: 'shop',
        algorithms: ['ES256'],
        keys: { jwksUrl: server.url },
        subjectClaim: 'sub',
        tierClaim: 'tier',
        clockSkewMs: 0,
      },
    ],
  })
  const apiKeys = [{ name: 'robot', hash: secretHash(KEY), tier: 'standard' }]
  const doors = await openDoors({ ...options, verifier, auth: { apiKeys }, server: { allowedOrigins: [SHOP] } })
  const token = (claims: Record<string, unknown> = {}) =>
    signedToken(pair, {
      iss: 'https://id.example',
      aud: 'shop',
      sub: 'aki',
      exp: now() + 3600,
      tier: 'gold',
      ...claims,
    })
  const get = (headers: Record<string, string>, url = '/api/quota') => doors.http.inject({ url, headers })
  const ask = async (headers: Record<string, string>) => {
    doors.app.turn(`turn_${doors.app.asked.length + 1}`).end()
    const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: { message: 'x' }, headers })
    return { response, principal: doors.app.asked.at(-1)?.principal }
  }
  const close = async () => {
    await doors[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { ...doors, server, token, get, ask, pair, [Symbol.asyncDispose]: close }
}

test('a token makes its bearer the user, and a key the program, at every door', async () => {
  await using doors = await open()
  const user = { id: 'user:id:aki', kind: 'user', tier: 'premium' }
  const { principal, response } = await doors.ask({ authorization: `Bearer ${await doors.token()}` })
  assert.deepEqual(principal, user)
  assert.equal(response.headers['set-cookie'], undefined)
  const robot = await doors.ask({ authorization: `bearer ${KEY}` })
  assert.deepEqual(robot.principal, { id: 'key:robot', kind: 'key', tier: 'standard' })

  await doors.http.inject({
    method: 'POST',
    url: '/v1/chat/completions',
    payload: { model: 'auto', messages: [{ role: 'user', content: 'x' }] },
    headers: { authorization: `Bearer ${await doors.token()}` },
  })
  assert.deepEqual(doors.app.completions[0]?.principal, user)

  const address = `${(await doors.listen()).replace('http', 'ws')}/ws`
  const socket = new SocketClient(address, { headers: { authorization: `Bearer ${await doors.token()}` } })
  assert.equal((await socket.until('ready')).principal.tier, 'premium')
  assert.equal(socket.setCookie, undefined)
  socket.send({ type: 'chat', requestId: 'r', message: 'x' })
  await socket.until('accepted')
  assert.deepEqual(doors.app.asked.at(-1)?.principal, user)
})

test('an invalid token is refused with its reason and makes no guest, also beside a valid cookie', async () => {
  await using doors = await open()
  const cookie = String((await doors.get({})).headers['set-cookie']).split(';')[0] ?? ''
  const stranger = await signingPair('k1')
  for (const [token, reason] of [
    [await doors.token({ exp: now() - 5 }), 'token-expired'],
    [await doors.token({ aud: 'warehouse' }), 'token-audience'],
    [await doors.token({ iss: 'https://evil.example' }), 'token-issuer-unknown'],
    [
      await signedToken(stranger, { iss: 'https://id.example', aud: 'shop', sub: 'a', exp: now() + 60 }),
      'token-signature',
    ],
    ['a.b.c', 'token-malformed'],
    ['mak_unknown', 'key-unknown'],
  ] as const) {
    const response = await doors.get({ authorization: `Bearer ${token}`, cookie })
    assert.deepEqual([response.statusCode, response.json().error.details], [401, { reason }], reason)
    assert.equal(response.headers['www-authenticate'], 'Bearer')
    assert.equal(response.headers['set-cookie'], undefined)
    assert.equal((await doors.get({ authorization: `Bearer ${token}` }, '/v1/models')).statusCode, 401)
  }
  assert.equal((await doors.get({ authorization: 'Basic eDp5', cookie })).json().error.details.reason, 'scheme-unknown')
  const address = `${(await doors.listen()).replace('http', 'ws')}/ws`
  const refused = new SocketClient(address, { headers: { authorization: 'Bearer a.b.c', cookie } })
  assert.equal(await refused.closed, 1008)
  assert.deepEqual(refused.of('error')[0]?.details, { reason: 'token-malformed' })
  assert.deepEqual(doors.app.adopted, [])
})

test('while the issuer is unreachable a token is not called invalid: the caller may retry', async () => {
  await using doors = await open()
  doors.server.status = 500
  const authorization = `Bearer ${await doors.token()}`
  const response = await doors.get({ authorization })
  assert.equal(response.statusCode, 503)
  assert.equal(response.headers['retry-after'], '2')
  assert.deepEqual(response.json().error.details, { reason: 'issuer-unreachable' })
  const socket = new SocketClient(`${(await doors.listen()).replace('http', 'ws')}/ws`, { headers: { authorization } })
  assert.equal(await socket.closed, 1011)
})

test('a guest who signs in keeps the conversations, and the next visitor is a new guest', async () => {
  await using doors = await open()
  const issued = String((await doors.get({})).headers['set-cookie'])
  const cookie = issued.split(';')[0] ?? ''
  const guestId = /=(guest_\w+)\./.exec(cookie)?.[1]
  const authorization = `Bearer ${await doors.token()}`
  const response = await doors.get({ authorization, cookie })
  assert.deepEqual(doors.app.adopted, [[guestId, 'user:id:aki']])
  assert.match(String(response.headers['set-cookie']), /^ma_guest=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
  await doors.get({ authorization })
  assert.equal(doors.app.adopted.length, 1)

  const address = `${(await doors.listen()).replace('http', 'ws')}/ws`
  const socket = new SocketClient(address, { headers: { authorization, cookie } })
  await socket.until('ready')
  assert.match(socket.setCookie ?? '', /^ma_guest=; Max-Age=0/)
  assert.equal(doors.app.adopted.length, 2)
  // A program adopts nothing, and an unsigned cookie identifies no guest.
  await doors.get({ authorization: `Bearer ${KEY}`, cookie })
  await doors.get({ authorization, cookie: `ma_guest=${guestId}.${'A'.repeat(43)}` })
  assert.equal(doors.app.adopted.length, 2)
})

test('a failed adoption delays no request, and the guest keeps the cookie for another try', async () => {
  await using doors = await open()
  const cookie = String((await doors.get({})).headers['set-cookie']).split(';')[0] ?? ''
  doors.app.adoptFailure = new Error('the store is down')
  const response = await doors.get({ authorization: `Bearer ${await doors.token()}`, cookie })
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['set-cookie'], undefined)
  assert.deepEqual(
    doors.telemetry.logged.filter(({ level }) => level === 'warn').map(({ event, fields }) => [event, fields]),
    [['auth.guest-merge-failed', {}]],
  )
})

test('a signed-in user gets a ticket for the page, and the WebSocket opens as the user with it', async () => {
  await using doors = await open()
  const ticket = async (headers: Record<string, string>, payload: object = {}) => {
    const response = await doors.http.inject({ method: 'POST', url: '/api/ticket', payload, headers })
    return { response, ...(response.json().data as Ticket) }
  }
  const exp = now() + 60
  const authorization = `Bearer ${await doors.token({ exp })}`
  const widget = await ticket({ origin: SHOP })
  const first = await ticket({ origin: SHOP, authorization }, { guestToken: widget.guestToken })
  assert.equal(first.response.statusCode, 200, first.response.body)
  assert.equal(first.expiresAt, new Date(exp * 1000).toISOString(), 'no longer than the token')
  assert.notEqual(first.guestToken, widget.guestToken)
  assert.deepEqual(doors.app.adopted, [[widget.guestToken.split('.')[0], 'user:id:aki']])

  const asked = await doors.ask({ origin: SHOP, authorization: `Bearer ${first.ticket}` })
  assert.deepEqual(asked.principal, { id: 'user:id:aki', kind: 'user', tier: 'premium' })
  const address = `${(await doors.listen()).replace('http', 'ws')}/ws?ticket=${first.ticket}`
  const socket = new SocketClient(address, { headers: { origin: SHOP } })
  assert.equal((await socket.until('ready')).principal.tier, 'premium')
  assert.equal(await new SocketClient(address, {}).closed, 1008)

  // A ticket appears in addresses: it must not give another ticket.
  const again = await ticket({ origin: SHOP, authorization: `Bearer ${first.ticket}` })
  assert.deepEqual(
    [again.response.statusCode, again.response.json().error.details.reason],
    [401, 'ticket-makes-no-ticket'],
  )
  const bad = await ticket({ origin: SHOP, authorization: 'Bearer a.b.c' })
  assert.equal(bad.response.statusCode, 401)
  const badGuest = await ticket({ origin: SHOP, authorization }, { guestToken: 'guest_x.y' })
  assert.equal(badGuest.response.json().error.details.reason, 'guest-token-invalid')
  const robot = await ticket({ authorization: `Bearer ${KEY}` }, { guestToken: widget.guestToken })
  assert.equal(robot.guestToken, widget.guestToken, 'a program adopts nobody')
})

test('a connection is closed with 4401 when its token expires, also in mid-answer, and the answer continues', async () => {
  const { advance, random, clock, telemetry } = handMovedTime()
  const app = new FakeApp()
  using timers = new TimerWheel(clock)
  const shared = { app, random, clock, telemetry, timers, refuse: refuser(telemetry), config: defaults }
  const transport = new FakeTransport()
  const expiresAt = clock.now() + 7000
  const connection = new Connection(shared, { transport, principal: guest, expiresAt, language: 'en' })
  await connection.opened
  connection.receive(JSON.stringify({ type: 'chat', requestId: 'r', message: 'x' }))
  await settle()
  app.turn('turn_1').say('half')
  await advance(6999)
  assert.equal(transport.closeCode(), undefined)
  await advance(1)
  assert.equal(transport.closeCode(), 4401)
  await settle()
  assert.deepEqual(app.stopped, [])
  assert.equal(app.turn('turn_1').readers, 0)
})
