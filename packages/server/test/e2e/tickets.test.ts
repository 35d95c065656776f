// A widget of another site at the real server: its guest survives a restart, its tickets expire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorEnvelope, SessionSummary, Ticket } from '@mangaassist/protocol'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { postChat, startServer, temporaryFolder } from './server-process.ts'

const origin = 'https://shop.example'
const ALLOWED = { MANGA_SERVER__ALLOWEDORIGINS: origin }

async function ticketOf(address: string, body: object = {}, from = origin) {
  const response = await fetch(`${address}/api/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: from },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { data: Ticket } & ErrorEnvelope
  return { response, ...answer.data, error: answer.error }
}

async function sessionsOf(address: string, ticket: string) {
  const response = await fetch(`${address}/api/sessions`, { headers: { origin, authorization: `Bearer ${ticket}` } })
  return ((await response.json()) as { data: SessionSummary[] }).data
}

test('a guest of another site finds the conversation after a restart, over both doors', async () => {
  await using folder = await temporaryFolder()
  const first = await startServer({ dataDir: folder.path, env: ALLOWED })
  const { guestToken, response, ticket } = await ticketOf(first.address)
  assert.equal(response.headers.get('access-control-allow-origin'), origin)
  assert.deepEqual(response.headers.getSetCookie(), [])
  const headers = { origin, authorization: `Bearer ${ticket}` }
  const chat = await postChat(first.address, { message: 'こんにちは' }, headers)
  assert.equal(chat.status, 200)
  assert.deepEqual(chat.headers.getSetCookie(), [])
  const [session] = await sessionsOf(first.address, ticket)
  await first[Symbol.asyncDispose]()

  await using second = await startServer({ dataDir: folder.path, env: ALLOWED })
  assert.deepEqual(await sessionsOf(second.address, ticket), [session], 'a ticket in time outlives a restart too')
  const renewed = await ticketOf(second.address, { guestToken })
  assert.equal(renewed.guestToken, guestToken)
  assert.deepEqual(await sessionsOf(second.address, renewed.ticket), [session])
  assert.deepEqual(await sessionsOf(second.address, (await ticketOf(second.address)).ticket), [])

  const address = `${second.address.replace('http', 'ws')}/ws?ticket=${renewed.ticket}`
  const socket = new SocketClient(address, { headers: { origin } })
  await socket.until('ready')
  socket.send({ type: 'chat', requestId: 'r', message: 'ありがとう', sessionId: session?.sessionId })
  assert.equal((await socket.until('done')).sessionVersion, 2)
  assert.equal(socket.setCookie, undefined)
  socket.socket.close()
  await socket.closed
  assert.doesNotMatch(first.stderr() + first.stdout() + second.stderr() + second.stdout(), /guest_/)
})

test('an expired ticket is refused as expired at both doors; a site that is not allowed gets none', async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path, env: { ...ALLOWED, MANGA_AUTH__TICKETMS: '1000' } })
  const { expiresAt, ticket } = await ticketOf(server.address)
  const quota = () => fetch(`${server.address}/api/quota`, { headers: { origin, authorization: `Bearer ${ticket}` } })
  let late = await quota()
  await waitUntil('the ticket is refused', async () => !(late = await quota()).ok)
  assert.ok(Date.now() >= Date.parse(expiresAt), 'it is refused before its time')
  assert.equal(late.headers.get('access-control-allow-origin'), origin, 'the page must be able to read why')
  assert.deepEqual(((await late.json()) as ErrorEnvelope).error.details, { reason: 'ticket-expired' })
  const socket = new SocketClient(`${server.address.replace('http', 'ws')}/ws?ticket=${ticket}`, {
    headers: { origin },
  })
  assert.equal(await socket.closed, 1008)
  assert.deepEqual(socket.of('error')[0]?.details, { reason: 'ticket-expired' })

  const foreign = await ticketOf(server.address, {}, 'https://evil.example')
  assert.deepEqual([foreign.response.status, foreign.error.code], [403, 'FORBIDDEN'])
})
