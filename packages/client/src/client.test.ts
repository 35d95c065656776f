// The client against a real WebSocket server whose side of the conversation each test plays itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { startFakeServer } from './testing/fake-server.ts'
import { ChatError, createClient } from './index.ts'
import type { ChatPart, ClientOptions, ConnectionState } from './index.ts'

async function setUp(
  t: TestContext,
  options: Partial<ClientOptions> = {},
  serving: { heartbeatMs?: number; greet?: boolean } = {},
) {
  // No jitter means no wait: backoff is between zero and its ceiling.
  t.mock.method(Math, 'random', () => 0)
  const server = await startFakeServer(serving)
  const client = createClient({ url: server.url, ...options })
  t.after(async () => {
    client.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, client }
}

async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of parts) all.push(part)
  return all
}

const textOf = (parts: ChatPart[]): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const endOf = (parts: ChatPart[]): ChatPart & { type: 'done' } => {
  const last = parts.at(-1)
  assert.ok(last?.type === 'done')
  return last
}

test('an answer streams in order and is verified at its end', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: '進撃の巨人が好き', sessionId: 's1', language: 'ja' }))
  const peer = await server.connection()
  const asked = await peer.accept()
  peer.send({ type: 'queued', turnId: 't1', position: 2, etaMs: 1500 })
  peer.meta()
  peer.chunk(0, 'こん')
  peer.chunk(2, 'にちは')
  peer.done('こんにちは')
  const parts = await answer
  assert.deepEqual(
    parts.map((part) => part.type),
    ['accepted', 'queued', 'meta', 'text', 'text', 'done'],
  )
  assert.deepEqual(parts[0], { type: 'accepted', turnId: 't1', sessionId: 's1', duplicate: false })
  assert.deepEqual(parts[4], { type: 'text', text: 'にちは', offset: 2 })
  assert.deepEqual([endOf(parts).text, endOf(parts).verified], ['こんにちは', true])
  assert.deepEqual(
    { message: asked.message, sessionId: asked.sessionId, language: asked.language },
    { message: '進撃の巨人が好き', sessionId: 's1', language: 'ja' },
  )
  assert.ok(asked.idempotencyKey)
})

test('frames of other turns are none of its business', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'not mine', 't2')
  peer.chunk(0, 'mine')
  peer.done('not mine', { turnId: 't2' })
  peer.done('mine')
  assert.equal(textOf(await answer), 'mine')
})

test('two questions share a connection and each gets its own answer', async (t) => {
  const { server, client } = await setUp(t)
  const first = collect(client.chat({ message: 'a' }))
  const second = collect(client.chat({ message: 'b' }))
  const peer = await server.connection()
  await peer.accept('ta', 'sa')
  await peer.accept('tb', 'sb')
  peer.chunk(0, 'B', 'tb')
  peer.chunk(0, 'A', 'ta')
  peer.done('B', { turnId: 'tb' })
  peer.done('A', { turnId: 'ta' })
  assert.deepEqual([textOf(await first), textOf(await second)], ['A', 'B'])
})

test('chunks that come twice or overlap are given once', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'abc')
  peer.chunk(0, 'abc')
  peer.chunk(1, 'bcde')
  peer.done('abcde')
  const parts = await answer
  assert.equal(textOf(parts), 'abcde')
  assert.equal(endOf(parts).verified, true)
})

test('a hole makes it ask the server to send on from where it is', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.chunk(4, 'ef')
  assert.deepEqual(await peer.next(), { type: 'resume', turnId: 't1', offset: 2 })
  peer.chunk(2, 'cd')
  peer.chunk(4, 'ef')
  peer.done('abcdef')
  const parts = await answer
  assert.deepEqual([textOf(parts), endOf(parts).verified], ['abcdef', true])
})

test('an end that comes before the text is whole makes it ask for the rest', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.done('abcd')
  assert.deepEqual(await peer.next(), { type: 'resume', turnId: 't1', offset: 2 })
  peer.chunk(2, 'cd')
  peer.done('abcd')
  assert.equal(endOf(await answer).verified, true)
})

test('a connection lost in the middle of an answer is made again and the answer goes on', async (t) => {
  const states: ConnectionState[] = []
  const { server, client } = await setUp(t, { onState: (state) => states.push(state) })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  first.chunk(0, '進撃の')
  // Closed politely, so that what was sent is read first.
  first.close(1001)
  const second = await server.connection()
  assert.deepEqual(await second.next(), { type: 'resume', turnId: 't1', offset: 3 })
  second.meta()
  second.chunk(3, '巨人')
  second.done('進撃の巨人')
  const parts = await answer
  assert.deepEqual([textOf(parts), endOf(parts).verified], ['進撃の巨人', true])
  assert.equal(parts.filter((part) => part.type === 'accepted').length, 1)
  assert.deepEqual(states, ['connecting', 'open', 'lost', 'open'])
})

test('a question lost before it was accepted is sent again under the same idempotency key', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  const asked = await first.next()
  first.drop()
  const second = await server.connection()
  const again = await second.accept()
  assert.deepEqual(again, asked)
  second.chunk(0, 'b')
  second.done('b')
  assert.equal(textOf(await answer), 'b')
})

test('an idempotency key that was given is the one that is sent', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a', idempotencyKey: 'mine' }))
  const peer = await server.connection()
  assert.equal((await peer.accept()).idempotencyKey, 'mine')
  peer.done('')
  await answer
})

test('a server that drops every connection is given up after a bounded number of attempts', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const dropping = (async () => {
    for (;;) (await server.connection()).close(1001)
  })()
  dropping.catch(() => {})
  await assert.rejects(answer, { name: 'ChatError', code: 'CONNECTION_LOST' })
})

test('a server that is not there is given up after a bounded number of attempts', async (t) => {
  const { server, client } = await setUp(t)
  await server[Symbol.asyncDispose]()
  await assert.rejects(collect(client.chat({ message: 'a' })), { name: 'ChatError', code: 'CONNECTION_LOST' })
})

test('a refused connection is not tried again', async (t) => {
  const { server, client } = await setUp(t, {}, { greet: false })
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  peer.close(1008)
  await assert.rejects(answer, { name: 'ChatError', code: 'FORBIDDEN' })
})

test('a connection that is open but dead is pinged, then replaced', async (t) => {
  const { server, client } = await setUp(t, {}, { heartbeatMs: 20 })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  assert.deepEqual(await first.next(), { type: 'ping' })
  const second = await server.connection()
  assert.equal((await second.next()).type, 'resume')
  second.chunk(0, 'b')
  second.done('b')
  assert.equal(textOf(await answer), 'b')
})

test('a text that does not hash to what was promised is told', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'abX')
  peer.done('abc')
  assert.equal(endOf(await answer).verified, false)
})

test('aborting stops the turn, and the answer ends as stopped', async (t) => {
  const { server, client } = await setUp(t)
  const controller = new AbortController()
  const answer = collect(client.chat({ message: 'a', signal: controller.signal }))
  const peer = await server.connection()
  await peer.accept()
  controller.abort()
  assert.deepEqual(await peer.next(), { type: 'stop', turnId: 't1' })
  peer.done('', { finishReason: 'stopped' })
  assert.equal(endOf(await answer).done.finishReason, 'stopped')
})

test('aborting before anything was sent throws and sends nothing', async (t) => {
  const { client } = await setUp(t)
  await assert.rejects(collect(client.chat({ message: 'a', signal: AbortSignal.abort() })), { name: 'AbortError' })
})

test('aborting while the connection is lost ends the wait, and the stop is sent once it is back', async (t) => {
  const lost = Promise.withResolvers<void>()
  const { server, client } = await setUp(t, { onState: (state) => state === 'lost' && lost.resolve() })
  const controller = new AbortController()
  const answer = client.chat({ message: 'a', signal: controller.signal })[Symbol.asyncIterator]()
  const accepted = answer.next()
  const first = await server.connection()
  await first.accept()
  await accepted
  const rejected = assert.rejects(answer.next(), { name: 'AbortError' })
  first.drop()
  await lost.promise
  controller.abort()
  const second = await server.connection()
  assert.deepEqual(await second.next(), { type: 'stop', turnId: 't1' })
  await rejected
})

test('an error frame is thrown with all that it says', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  const asked = await peer.next()
  assert.equal(asked.type, 'chat')
  const requestId = 'requestId' in asked ? asked.requestId : ''
  peer.send({
    type: 'error',
    requestId,
    code: 'RATE_LIMITED',
    message: 'slowly',
    retryAfterMs: 900,
    details: { scope: 'user' },
  })
  await assert.rejects(answer, (error: unknown) => {
    assert.ok(error instanceof ChatError)
    const { code, message, retryAfterMs, details } = error
    assert.deepEqual(
      { code, message, retryAfterMs, details },
      {
        code: 'RATE_LIMITED',
        message: 'slowly',
        retryAfterMs: 900,
        details: { scope: 'user' },
      },
    )
    return true
  })
})

test('an error in the middle of a turn ends it', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.send({ type: 'error', turnId: 't1', code: 'INTERNAL_ERROR', message: 'broken' })
  await assert.rejects(answer, { name: 'ChatError', code: 'INTERNAL_ERROR' })
})

test('resuming past the beginning gives only what follows, and still checks the whole', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.resume('t1', 3))
  const peer = await server.connection()
  assert.deepEqual(await peer.next(), { type: 'resume', turnId: 't1', offset: 0 })
  peer.chunk(0, 'ab')
  peer.chunk(2, 'cd')
  peer.chunk(4, 'ef')
  peer.done('abcdef')
  const parts = await answer
  assert.deepEqual(parts[0], { type: 'text', text: 'd', offset: 3 })
  assert.deepEqual([textOf(parts), endOf(parts).text, endOf(parts).verified], ['def', 'abcdef', true])
})

test('stop is sent for any turn', async (t) => {
  const { server, client } = await setUp(t)
  await client.stop('t9')
  const peer = await server.connection()
  assert.deepEqual(await peer.next(), { type: 'stop', turnId: 't9' })
})

test('a watched conversation tells the turns of others, across a lost connection, until aborted', async (t) => {
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
  assert.deepEqual(await second.next(), { type: 'resume', turnId: 't1', offset: 2 })
  second.chunk(2, 'cd')
  second.done('abcd')
  second.send({ type: 'accepted', requestId: 'theirs', turnId: 't2', sessionId: 's1' })
  second.send({ type: 'error', turnId: 't2', code: 'INTERNAL_ERROR', message: 'broken' })
  // Its answer proves that everything before it was read.
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

test('a conversation that cannot be watched ends the watch, and no question beside it', async (t) => {
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

test('what the server says to the connection is passed on', async (t) => {
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

test('outside browsers, origin and headers are sent with the request', async (t) => {
  const { server, client } = await setUp(t, { origin: 'https://shop.example', headers: { authorization: 'Bearer k' } })
  await client.stop('t1')
  const { headers } = await server.connection()
  assert.deepEqual([headers['origin'], headers['authorization']], ['https://shop.example', 'Bearer k'])
})

test('closing ends what is under way and the connection', async (t) => {
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

test('a connection that idles away is not missed until the next question', async (t) => {
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

test('a wrong address is refused at once', () => {
  assert.throws(() => createClient({ url: 'not an address' }), TypeError)
})
