// Thumbs and opened cards: calls over HTTP with the identity of the connection.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createClient } from './index.ts'
import { refuse } from './testing/fake-server.ts'
import { setUp } from './testing/set-up.ts'

test('a thumb, its reason and an opened card are sent without a connection', async (t) => {
  const { server, client } = await setUp(t, { headers: { cookie: 'ma_guest=g' } })
  await client.feedback('t:1', 'down', { reason: 'too long', sessionId: 's1' })
  await client.feedback('t:1', null)
  await client.opened('t:1', 'akira', { sessionId: 's1' })
  assert.deepEqual(
    server.calls.map(({ path, body }) => [path, body]),
    [
      ['/api/turns/t%3A1/feedback', { value: 'down', reason: 'too long', sessionId: 's1' }],
      ['/api/turns/t%3A1/feedback', { value: null }],
      ['/api/turns/t%3A1/opened', { productId: 'akira', sessionId: 's1' }],
    ],
  )
  const [first] = server.calls
  assert.deepEqual([first?.headers['content-type'], first?.headers.cookie], ['application/json', 'ma_guest=g'])
  assert.equal(first?.headers.authorization, undefined)
})

test('a guest without a cookie is the same guest as on the connection', async (t) => {
  const { server, client } = await setUp(t, { origin: 'https://shop.example' })
  await client.stop('t1')
  await server.connection()
  await client.feedback('t1', 'up')
  assert.deepEqual(
    server.asked.map(({ body }) => body.guestToken),
    [undefined, 'guest-1'],
  )
  const { authorization, origin } = server.calls[0]?.headers ?? {}
  assert.deepEqual([authorization, origin], ['Bearer ticket-2', 'https://shop.example'])
})

test('the ticket of an address that is a function is used', async (t) => {
  const { server } = await setUp(t)
  const client = createClient({ url: async () => `${server.url}/shop/ws?ticket=mine` })
  t.after(() => client.close())
  await client.opened('t1', 'akira')
  const [call] = server.calls
  assert.deepEqual([call?.path, call?.headers.authorization], ['/shop/api/turns/t1/opened', 'Bearer mine'])
})

test('a refusal is thrown with its code, and nothing is sent again', async (t) => {
  const headers = { cookie: 'ma_guest=g' }
  const { server, client } = await setUp(t, { headers }, { answerCall: () => refuse(404, 'NOT_FOUND') })
  await assert.rejects(client.feedback('t9', 'up'), { name: 'ChatError', code: 'NOT_FOUND' })
  assert.equal(server.calls.length, 1)
})

for (const [what, answer] of [
  ['a cut connection', 'cut off'],
  ['a page of a proxy', { status: 502, body: 'bad gateway' }],
] as const)
  test(`${what} is CONNECTION_LOST`, async (t) => {
    const { client } = await setUp(t, { headers: { cookie: 'ma_guest=g' } }, { answerCall: () => answer })
    await assert.rejects(client.feedback('t1', 'up'), { name: 'ChatError', code: 'CONNECTION_LOST' })
  })

test('a ticket that cannot be had is CONNECTION_LOST', async (t) => {
  const { client } = await setUp(t, {}, { answerTicket: () => 'cut off' })
  await assert.rejects(client.feedback('t1', 'up'), { code: 'CONNECTION_LOST' })
})

test('a closed client and an aborted signal send nothing more', async (t) => {
  const asked = Promise.withResolvers<void>()
  const answerCall = () => (asked.resolve(), 'silence' as const)
  const { server, client } = await setUp(t, { headers: { cookie: 'ma_guest=g' } }, { answerCall })
  const aborting = new AbortController()
  const sending = client.feedback('t1', 'up', { signal: aborting.signal })
  await asked.promise
  aborting.abort(new Error('enough'))
  await assert.rejects(sending, /enough/)
  client.close()
  await assert.rejects(client.feedback('t1', 'up'), { code: 'CLIENT_CLOSED' })
  assert.equal(server.calls.length, 1)
})
