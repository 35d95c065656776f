// Behaviour of the connection rather than of one answer: watching, notices, headers, closing, idling.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createClient } from './index.ts'
import type { ConnectionState } from './index.ts'
import { fakePage } from './testing/fake-socket.ts'
import { resumeFrame } from './testing/resume-frame.ts'
import { collect, endOf, setUp } from './testing/set-up.ts'

test('a watch reports the turns of other connections, across a lost connection, until aborted', async (t) => {
  const { server, client } = await setUp(t)
  const controller = new AbortController()
  const parts = collect(client.watch('s1', { signal: controller.signal }))
  const first = await server.connection()
  assert.deepEqual(await first.next(), { type: 'watch', sessionId: 's1' })
  first.send({ type: 'accepted', requestId: 'theirs', turnId: 't1', sessionId: 's1' })
  first.chunk(0, 'ab')
  first.close(1001)
  const second = await server.connection()
  assert.deepEqual(await second.next(), { type: 'watch', sessionId: 's1' })
  assert.deepEqual(await second.next(), resumeFrame('ab'))
  second.chunk(2, 'cd')
  second.done('abcd')
  second.send({ type: 'accepted', requestId: 'theirs', turnId: 't2', sessionId: 's1' })
  second.send({ type: 'error', turnId: 't2', code: 'INTERNAL_ERROR', message: 'broken' })
  // Its part proves that the client has read all earlier frames.
  const probe = client.resume('t3')[Symbol.asyncIterator]().next()
  await second.next()
  second.meta('t3')
  await probe
  controller.abort()
  assert.deepEqual(
    (await parts).map(({ turnId, part }) => `${turnId} ${part.type}`),
    ['t1 accepted', 't1 text', 't1 text', 't1 done', 't2 accepted', 't2 error'],
  )
})

test('a refused watch ends the watch, but not a question in flight', async (t) => {
  const { server, client } = await setUp(t)
  const parts = collect(client.watch('s9'))
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.next()
  peer.send({ type: 'error', code: 'NOT_FOUND', message: 'not found', details: { sessionId: 's9' } })
  await assert.rejects(parts, { name: 'ChatError', code: 'NOT_FOUND' })
  await peer.accept()
  peer.done('')
  assert.equal(endOf(await answer).verified, true)
})

test('backpressure and transferred frames reach `onNotice`', async (t) => {
  const notices: string[] = []
  const { server, client } = await setUp(t, { onNotice: (notice) => notices.push(notice.type) })
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.send({ type: 'backpressure', action: 'slow', retryAfterMs: 5000, message: 'busy' })
  peer.send({ type: 'transferred', sessionId: 's1' })
  peer.done('')
  await answer
  assert.deepEqual(notices, ['backpressure', 'transferred'])
})

test('outside browsers, origin and headers are sent with the WebSocket request', async (t) => {
  const { server, client } = await setUp(t, { origin: 'https://shop.example', headers: { authorization: 'Bearer k' } })
  await client.stop('t1')
  const { headers } = await server.connection()
  assert.deepEqual([headers['origin'], headers['authorization']], ['https://shop.example', 'Bearer k'])
})

test('close ends calls in flight and the connection', async (t) => {
  const states: ConnectionState[] = []
  const { server, client } = await setUp(t, { onState: (state) => states.push(state) })
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  client.close()
  await assert.rejects(answer, { name: 'ChatError', code: 'CLIENT_CLOSED' })
  await assert.rejects(collect(client.chat({ message: 'b' })), { code: 'CLIENT_CLOSED' })
  await peer.closed
  assert.deepEqual(states, ['connecting', 'open', 'closed'])
})

test('close inside `onState` is final', async (t) => {
  for (const closeAt of ['connecting', 'open', 'lost'] as const) {
    const states: ConnectionState[] = []
    const onState = (state: ConnectionState): void => {
      states.push(state)
      if (state === closeAt) client.close()
    }
    const { server, client } = await setUp(t, { onState })
    const answer = collect(client.chat({ message: 'a' }))
    if (closeAt === 'lost') {
      const peer = await server.connection()
      await peer.accept()
      peer.close(1001)
    }
    await assert.rejects(answer, { code: 'CLIENT_CLOSED' })
    assert.equal(states.at(-1), 'closed')
    await assert.rejects(client.stop('t1'), { code: 'CLIENT_CLOSED' })
    assert.equal(states.at(-1), 'closed')
  }
})

test('a connection that the server closed as idle is opened again only for the next question', async (t) => {
  const states: ConnectionState[] = []
  const idle = Promise.withResolvers<void>()
  const onState = (state: ConnectionState): void => {
    states.push(state)
    if (state === 'idle') idle.resolve()
  }
  const { server, client } = await setUp(t, { onState })
  await client.stop('t1')
  const first = await server.connection()
  await first.next()
  first.close(4408)
  await idle.promise
  await client.stop('t2')
  assert.deepEqual(await (await server.connection()).next(), { type: 'stop', turnId: 't2' })
  assert.deepEqual(states, ['connecting', 'open', 'idle', 'connecting', 'open'])
})

test('an invalid address throws at once', () => {
  assert.throws(() => createClient({ url: 'not an address' }), TypeError)
})

test('`offline` loses the connection at once, `online` reopens it at once, and the answer is complete', async (t) => {
  const states: ConnectionState[] = []
  const { page, go } = fakePage()
  const { server, client } = await setUp(t, { page, onState: (state) => states.push(state) })
  const parts = client.chat({ message: 'a' })[Symbol.asyncIterator]()
  const accepted = parts.next()
  const first = await server.connection()
  await first.accept()
  await accepted
  const answer = collect({ [Symbol.asyncIterator]: () => parts })
  go('offline')
  assert.equal(states.at(-1), 'lost')
  await first.closed
  go('online')
  const second = await server.connection()
  assert.deepEqual(await second.next(), { type: 'resume', turnId: 't1', offset: 0 })
  second.chunk(0, 'abcd')
  second.done('abcd')
  assert.equal(endOf(await answer).text, 'abcd')
  assert.deepEqual(states, ['connecting', 'open', 'lost', 'open'])
})

test('an idle connection that went offline is reopened when the network is back', async (t) => {
  const states: ConnectionState[] = []
  const { page, go } = fakePage()
  const { server, client } = await setUp(t, { page, onState: (state) => states.push(state) })
  await client.stop('t1')
  await server.connection()
  go('offline')
  assert.equal(states.at(-1), 'lost')
  go('online')
  await server.connection()
  client.close()
  go('offline')
  assert.equal(states.at(-1), 'closed')
})

test('a page that becomes visible pings the server, and replaces a dead connection', async (t) => {
  const { page, wake } = fakePage()
  const { server, client } = await setUp(t, { page }, { heartbeatMs: 200 })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  page.document.visibilityState = 'hidden'
  wake('visibilitychange')
  page.document.visibilityState = 'visible'
  wake('visibilitychange')
  assert.deepEqual(await first.next(), { type: 'ping' })
  const second = await server.connection()
  await second.next()
  second.done('')
  assert.equal(endOf(await answer).verified, true)
})

test('an attempt that hangs when the network fails is aborted', async (t) => {
  const states: ConnectionState[] = []
  const { page, go } = fakePage()
  const { server, client } = await setUp(t, { page, onState: (state) => states.push(state) }, { greet: false })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  go('offline')
  assert.equal(states.at(-1), 'lost')
  await first.closed
  go('online')
  await server.connection()
  client.close()
  await assert.rejects(answer, { code: 'CLIENT_CLOSED' })
})
