// Tickets over both doors: a widget on another site becomes a guest without a cookie, and stays that guest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ticket } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { openDoors } from '#fixtures/edge/doors.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'

const SHOP = 'https://shop.example'
const server = { allowedOrigins: [SHOP] }
type Doors = Awaited<ReturnType<typeof openDoors>>

async function ticketFor(doors: Doors, body: object = {}, headers: Record<string, string> = { origin: SHOP }) {
  const response = await doors.http.inject({ method: 'POST', url: '/api/ticket', payload: body, headers })
  assert.equal(response.statusCode, 200, response.body)
  return { response, ...(response.json().data as Ticket) }
}

const ask = (doors: Doors, ticket: string, headers: Record<string, string> = { origin: SHOP }) =>
  doors.http.inject({
    method: 'POST',
    url: '/api/chat',
    payload: { message: 'x' },
    headers: { authorization: `Bearer ${ticket}`, ...headers },
  })

test('a page of an allowed origin gets a readable token and a ticket, without a cookie and not cached', async () => {
  await using doors = await openDoors({ server })
  const preflight = await doors.http.inject({
    method: 'OPTIONS',
    url: '/api/ticket',
    headers: {
      origin: SHOP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  assert.deepEqual([preflight.statusCode, preflight.headers['access-control-allow-origin']], [204, SHOP])
  const { response } = await ticketFor(doors)
  assert.deepEqual([...Value.Errors(Ticket, response.json().data)], [])
  assert.equal(response.headers['access-control-allow-origin'], SHOP)
  assert.equal(response.headers['set-cookie'], undefined)
  assert.equal(response.headers['cache-control'], 'no-store')
})

test('with its ticket the widget is its guest, also with a ticket of another day', async () => {
  await using doors = await openDoors({ server })
  const first = await ticketFor(doors)
  const again = await ticketFor(doors, { guestToken: first.guestToken })
  for (const [index, { ticket }] of [first, again].entries()) {
    doors.app.turn(`turn_${index + 1}`).end()
    const response = await ask(doors, ticket)
    assert.equal(response.statusCode, 200, response.body)
    assert.equal(response.headers['set-cookie'], undefined)
    assert.equal(response.headers['access-control-allow-origin'], SHOP)
  }
  const [guest] = first.guestToken.split('.')
  assert.deepEqual(
    doors.app.asked.map(({ principal }) => principal.id),
    [guest, guest],
  )
})

test('a ticket of another origin, a forged one and an expired one are refused with different reasons', async () => {
  await using doors = await openDoors({ server: { allowedOrigins: [SHOP, 'https://other.example'] }, ticketMs: 0 })
  const { ticket } = await ticketFor(doors)
  const bare = await ticketFor(doors, {}, {})
  const cases: [string, Record<string, string>, string][] = [
    [ticket, { origin: SHOP }, 'ticket-expired'],
    [bare.ticket, {}, 'ticket-expired'],
    [ticket, { origin: 'https://other.example' }, 'ticket-invalid'],
    [ticket, {}, 'ticket-invalid'],
    [`${ticket.slice(0, -1)}~`, { origin: SHOP }, 'ticket-invalid'],
  ]
  for (const [given, headers, reason] of cases) {
    const response = await ask(doors, given, headers)
    assert.equal(response.statusCode, 401)
    assert.equal(response.headers['set-cookie'], undefined)
    assert.deepEqual([response.json().error.code, response.json().error.details], ['UNAUTHENTICATED', { reason }])
  }
  assert.deepEqual(doors.app.asked, [])
})

test('a forged token, an invalid body and a foreign page are refused', async () => {
  await using doors = await openDoors({ server })
  const post = (payload: unknown, origin = SHOP) =>
    doors.http.inject({ method: 'POST', url: '/api/ticket', payload: payload as object, headers: { origin } })
  const forged = await post({ guestToken: 'guest_1.x' })
  assert.deepEqual([forged.statusCode, forged.json().error.details.reason], [401, 'guest-token-invalid'])
  assert.equal((await post({ guestToken: 1 })).statusCode, 400)
  assert.equal((await post([])).statusCode, 400)
  assert.equal((await post({}, 'https://evil.example')).statusCode, 403)
  const cookie = String((await doors.http.inject({ url: '/api/quota' })).headers['set-cookie'])
  const guestToken = /ma_guest=([^;]+)/.exec(cookie)?.[1]
  assert.equal((await post({ guestToken })).statusCode, 401)
})

test('a WebSocket opens with a ticket of its origin, without a cookie; an invalid one is refused with the reason', async () => {
  await using doors = await openDoors({ server })
  const address = `${(await doors.listen()).replace('http:', 'ws:')}/ws`
  const { guestToken, ticket } = await ticketFor(doors)
  const connect = (given: string, origin = SHOP) =>
    new SocketClient(`${address}?ticket=${encodeURIComponent(given)}`, { headers: { origin } })
  const good = connect(ticket)
  await good.until('ready')
  assert.equal(good.setCookie, undefined)
  good.send({ type: 'chat', requestId: 'r', message: 'x' })
  await good.until('accepted')
  assert.equal(doors.app.asked[0]?.principal.id, guestToken.split('.')[0])
  const own = address.replace('ws:', 'http:').replace('/ws', '')
  for (const bad of [connect(''), connect(guestToken), connect(ticket, own), connect(`${ticket}0`)]) {
    assert.equal(await bad.closed, 1008)
    assert.deepEqual(
      bad.frames.map((frame) => frame.type === 'error' && [frame.code, frame.details]),
      [['UNAUTHENTICATED', { reason: 'ticket-invalid' }]],
    )
  }
})

test('tickets and tokens are not logged', async () => {
  await using doors = await openDoors({ server })
  const address = (await doors.listen()).replace('http:', 'ws:')
  const { guestToken, ticket } = await ticketFor(doors)
  await ask(doors, `${ticket}0`)
  await ticketFor(doors, { guestToken })
  await doors.http.inject({ url: `/api/quota?ticket=${ticket}` })
  const socket = new SocketClient(`${address}/ws?ticket=${ticket}`, { headers: { origin: SHOP } })
  await socket.until('ready')
  socket.socket.close()
  await socket.closed
  assert.equal(doors.telemetry.logged.length > 0, true)
  assert.doesNotMatch(JSON.stringify(doors.telemetry.logged), new RegExp(guestToken.split('.')[0] ?? ''))
})

test('a ticket of our own page is good for its requests without an origin, and of no other site', async () => {
  await using doors = await openDoors({ server })
  const own = { host: 'localhost', origin: 'http://localhost' }
  const { ticket } = await ticketFor(doors, {}, own)
  const read = async (headers: Record<string, string>, shown = ticket) =>
    (
      await doors.http.inject({
        url: '/api/quota',
        headers: { host: 'localhost', authorization: `Bearer ${shown}`, ...headers },
      })
    ).statusCode
  assert.equal(await read({ 'sec-fetch-site': 'same-origin' }), 200)
  assert.equal(await read({ origin: own.origin }), 200)
  for (const site of ['same-site', 'cross-site', 'none'])
    assert.equal(await read({ 'sec-fetch-site': site }), 401, site)
  assert.equal(await read({ origin: SHOP, 'sec-fetch-site': 'cross-site' }), 401)
  const { ticket: theirs } = await ticketFor(doors)
  assert.equal(await read({ 'sec-fetch-site': 'same-origin' }, theirs), 401)
})
