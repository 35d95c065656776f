// What blocked callers get at the doors, over real sockets: addresses before anything is read, by every door; operators get through.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import type { DoorOptions } from '#fixtures/edge/doors.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_blocks'
const why = { by: 'aki', reason: 'a test' }
const asOperator = { authorization: `Bearer ${TOKEN}` }

const wsUrl = ({ host }: URL) => `ws://${host}/ws`

interface Asked {
  readonly from?: string
  readonly headers?: Record<string, string>
}

async function served(options: DoorOptions = {}) {
  const admins = [{ name: 'aki', hash: secretHash(TOKEN) }]
  const doors = await openDoors({ auth: { admins }, ...options })
  const url = new URL(await doors.listen())
  const ask = async (path: string, { from = '127.0.0.2', headers = {} }: Asked = {}) => {
    const sent = request({ host: url.hostname, port: url.port, path, headers, localAddress: from, agent: false }).end()
    const [response] = await once(sent, 'response')
    const text = (await response.toArray()).join('')
    return { status: response.statusCode as number, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const block = (target: string, expiresAt?: number) =>
    doors.app.admin.block(
      { target, callerAddress: '', force: true, ...(expiresAt === undefined ? {} : { expiresAt }) },
      why,
    )
  return { ...doors, url, ask, block }
}

test('a blocked address gets a sentence by every door, and others are served', async () => {
  await using doors = await served()
  assert.equal((await doors.ask('/api/sessions')).status, 200)
  await doors.block('127.0.0.2')
  const refused = await doors.ask('/api/sessions', { headers: { 'accept-language': 'en' } })
  assert.equal(refused.status, 403)
  assert.deepEqual([refused.body.error.code, refused.body.error.details], ['FORBIDDEN', { reason: 'blocked' }])
  assert.match(refused.body.error.message, /contact the store/)
  assert.match((await doors.ask('/', { headers: { 'accept-language': 'ja' } })).body.error.message, /お問い合わせ/)
  const v1 = await doors.ask('/v1/models')
  assert.deepEqual([v1.status, v1.body.error.type, v1.body.error.code], [403, 'invalid_request_error', 'forbidden'])
  assert.match(v1.body.error.message, /is blocked/)
  assert.equal((await doors.ask('/healthz')).status, 200)
  assert.equal((await doors.ask('/api/sessions', { from: '127.0.0.3' })).status, 200)
  const counted = doors.telemetry.counted.filter(({ name }) => name === 'request_blocked_total')
  assert.equal(counted.length, 3)
  await doors.app.admin.unblock('127.0.0.2', why)
  assert.equal((await doors.ask('/api/sessions')).status, 200)
})

test('an operator with a token is served from a blocked address, a guess is not', async () => {
  await using doors = await served()
  await doors.block('127.0.0.0/8')
  assert.equal((await doors.ask('/api/admin/blocks', { headers: asOperator })).status, 200)
  assert.equal((await doors.ask('/api/admin/blocks', { headers: { authorization: 'Bearer wrong' } })).status, 403)
  // The token is for the admin API alone.
  assert.equal((await doors.ask('/api/sessions', { headers: asOperator })).body.error.details.reason, 'blocked')
})

test('behind a proxy its clients are blocked, not the proxy', async () => {
  await using doors = await served({ server: { trustProxy: true } })
  await doors.block('2001:db8:1::/48')
  await doors.block('198.51.100.7')
  const as = (client: string) => doors.ask('/api/sessions', { headers: { 'x-forwarded-for': client } })
  for (const client of ['2001:db8:1:2::3', '198.51.100.7', '[2001:db8:1::9]:4711', '::ffff:198.51.100.7'])
    assert.equal((await as(client)).status, 403, client)
  for (const client of ['2001:db8:2::3', '198.51.100.8', 'nonsense'])
    assert.equal((await as(client)).status, 200, client)
})

test('a WebSocket from a blocked address is not opened, and an open one is closed with its next frame', async () => {
  await using doors = await served()
  const client = new SocketClient(wsUrl(doors.url))
  await client.until('ready')
  await doors.block('127.0.0.0/8')
  const error = await client.refused({ type: 'ping' })
  assert.deepEqual([error.code, error.details], ['FORBIDDEN', { reason: 'blocked' }])
  assert.equal(await client.closed, 1008)
  assert.equal(await new SocketClient(wsUrl(doors.url)).declined(), 403)
})

test('the admin API refuses what is no target, what is past, and the address of the caller', async () => {
  await using doors = await served()
  const put = async (body: object) => {
    const { statusCode, json } = await doors.http.inject({
      method: 'PUT',
      url: '/api/admin/blocks',
      headers: asOperator,
      remoteAddress: '203.0.113.7',
      payload: { reason: 'a test', ...body },
    })
    const { data, error } = json()
    return [statusCode, error?.details.field ?? data.subject, error?.details.reason]
  }
  assert.deepEqual((await put({ target: 'everyone' })).slice(0, 2), [400, 'target'])
  assert.deepEqual(await put({ target: 'guest_1', until: '2020-01-01T00:00:00Z' }), [400, 'until', 'is in the past'])
  assert.deepEqual((await put({ target: 'guest_1', until: 'soon' })).slice(0, 2), [400, 'until'])
  assert.equal((await put({ target: 'guest_1', reason: ' ' }))[0], 400)
  assert.match(String((await put({ target: '203.0.113.0/24' }))[2]), /the address that you are calling from/)
  for (const target of ['127.0.0.1', '127.0.0.0/16', '0.0.0.0/0', '::1', '::/0', '::ffff:127.0.0.1'])
    assert.match(String((await put({ target }))[2]), /this machine itself/, target)
  assert.deepEqual(await put({ target: '203.0.113.99/24', force: true }), [200, '203.0.113.0/24', undefined])
  assert.deepEqual(await put({ target: '198.51.100.0/24' }), [200, '198.51.100.0/24', undefined])
})
