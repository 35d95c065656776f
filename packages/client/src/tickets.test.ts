// The client's identity without a cookie: one guest across lost connections, with a new ticket for each connection.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestContext } from 'node:test'
import type { GuestKeeper } from './index.ts'
import { grant, refuse } from './testing/fake-server.ts'
import type { AnswerTicket, FakePeer } from './testing/fake-server.ts'
import { resumeFrame } from './testing/resume-frame.ts'
import { collect, endOf, setUp } from './testing/set-up.ts'

/** A GuestKeeper that records its calls. */
function keep(loaded?: string) {
  const calls: string[] = []
  const guest: Required<GuestKeeper> = {
    load: () => (calls.push('load'), loaded),
    save: (token) => void calls.push(`save ${token}`),
    forget: () => void calls.push('forget'),
  }
  return { calls, guest }
}

async function answer(peer: FakePeer): Promise<void> {
  await peer.accept()
  peer.done('')
}

test('after a loss the same guest reconnects with a new ticket and resumes', async (t) => {
  const { server, client } = await setUp(t)
  const parts = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  first.chunk(0, 'ab')
  first.close(1001)
  const second = await server.connection()
  assert.deepEqual(await second.next(), resumeFrame('ab'))
  second.done('ab')
  assert.equal(endOf(await parts).verified, true)
  assert.deepEqual([first.url, second.url], ['/ws?ticket=ticket-1', '/ws?ticket=ticket-2'])
  assert.deepEqual(
    server.asked.map(({ body }) => body),
    [{}, { guestToken: 'guest-1' }],
  )
})

test('a GuestKeeper is asked once for the guest of an earlier run, and gets each token to save', async (t) => {
  const { guest, calls } = keep('guest-0')
  const { server, client } = await setUp(t, { guest })
  await client.stop('t1')
  const first = await server.connection()
  const parts = collect(client.chat({ message: 'a' }))
  await first.next()
  await first.next()
  first.drop()
  await answer(await server.connection())
  await parts
  assert.deepEqual(calls, ['load', 'save guest-0', 'save guest-0'])
})

for (const [status, code] of [
  [401, 'UNAUTHENTICATED'],
  [400, 'INVALID_REQUEST'],
] as const) {
  test(`a guest token that is refused with ${code} is forgotten, and the client becomes a new guest`, async (t) => {
    const { guest, calls } = keep('guest-old')
    const answerTicket: AnswerTicket = (asked) =>
      asked.body.guestToken === 'guest-old' ? refuse(status, code) : grant(asked)
    const { server, client } = await setUp(t, { guest }, { answerTicket })
    await client.stop('t1')
    await server.connection()
    assert.deepEqual(calls, ['load', 'forget', 'save guest-2'])
  })
}

const failures: Readonly<Record<string, ReturnType<AnswerTicket>>> = {
  'a request that is cut off': 'cut off',
  'a server in maintenance': refuse(503, 'MAINTENANCE'),
  'a response of a proxy': { status: 502, body: 'Bad Gateway' },
  'an empty response': { body: null },
}
for (const [what, failure] of Object.entries(failures)) {
  test(`${what} is a failed attempt, and the guest stays the same`, async (t) => {
    const answerTicket: AnswerTicket = (asked) => (asked.count < 3 ? failure : grant(asked))
    const { guest, calls } = keep('guest-0')
    const { server, client } = await setUp(t, { guest }, { answerTicket })
    await client.stop('t1')
    await server.connection()
    assert.deepEqual([server.asked.length, calls.at(-1), calls.includes('forget')], [3, 'save guest-0', false])
  })
}

test('a question fails when the server never gives a ticket', async (t) => {
  const { server, client } = await setUp(t, {}, { answerTicket: () => refuse(500, 'INTERNAL_ERROR') })
  await assert.rejects(client.stop('t1'), { name: 'ChatError', code: 'CONNECTION_LOST' })
  assert.equal(server.asked.length, 8)
})

test('an origin that is not allowed gets FORBIDDEN, and there is no retry', async (t) => {
  const { server, client } = await setUp(t, {}, { answerTicket: () => refuse(403, 'FORBIDDEN') })
  await assert.rejects(client.stop('t1'), { name: 'ChatError', code: 'FORBIDDEN' })
  assert.equal(server.asked.length, 1)
})

test('an error of the GuestKeeper reaches the caller unchanged', async (t) => {
  const full = new Error('the disk is full')
  const broken: GuestKeeper = {
    load: () => undefined,
    save() {
      throw full
    },
  }
  const { client } = await setUp(t, { guest: broken })
  await assert.rejects(client.stop('t1'), full)
})

test('the request for a ticket has the origin and the headers of the connection', async (t) => {
  const { server, client } = await setUp(t, { origin: 'https://shop.example', headers: { 'x-tenant': 'a' } })
  await client.stop('t1')
  await server.connection()
  const [asked] = server.asked
  assert.deepEqual([asked?.headers['origin'], asked?.headers['x-tenant']], ['https://shop.example', 'a'])
})

test('close does not wait for a ticket, and aborts the request', async (t) => {
  const asked = Promise.withResolvers<void>()
  const { server, client } = await setUp(t, {}, { answerTicket: () => (asked.resolve(), 'silence') })
  const stopping = client.stop('t1')
  await asked.promise
  client.close()
  await assert.rejects(stopping, { code: 'CLIENT_CLOSED' })
  await server.asked[0]?.over
})

test('no ticket is requested when the headers or the address already give an identity', async (t) => {
  for (const headers of [{ Authorization: 'Bearer k' }, { cookie: 'ma_guest=g' }]) {
    const { server, client } = await setUp(t, { headers })
    await client.stop('t1')
    assert.deepEqual([(await server.connection()).url, server.asked.length], ['/ws', 0])
  }
})

test('a browser uses its cookie, unless the page passes a GuestKeeper', async (t) => {
  pretendToBeAPage(t)
  const atHome = await setUp(t)
  await atHome.client.stop('t1')
  assert.equal((await atHome.server.connection()).url, '/ws')
  const abroad = await setUp(t, { guest: keep().guest })
  await abroad.client.stop('t1')
  assert.equal((await abroad.server.connection()).url, '/ws?ticket=ticket-1')
})

function pretendToBeAPage(t: TestContext): void {
  Object.assign(globalThis, { location: { origin: 'https://shop.example' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
}
