// The client with a real WebSocket server, whose frames each test sends itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from './index.ts'
import type { ChatPart, ConnectionState } from './index.ts'
import { resumeFrame } from './testing/resume-frame.ts'
import { collect, endOf, setUp } from './testing/set-up.ts'

const textOf = (parts: ChatPart[]): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
test('an answer is streamed in order and verified at its end', async (t) => {
  const { server, client } = await setUp(t)
  const input = { message: '進撃の巨人が好き', sessionId: 's1', language: 'ja', interfaceLanguage: 'en' } as const
  const page = { productId: 'berserk', path: '/series/berserk' }
  const answer = collect(client.chat({ ...input, page }))
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
  const { message, sessionId, language, interfaceLanguage } = asked
  assert.deepEqual({ message, sessionId, language, interfaceLanguage, page: asked.page }, { ...input, page })
  assert.ok(asked.idempotencyKey)
})

test('frames of other turns are ignored', async (t) => {
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

test('text of repeated and overlapping chunks is yielded once', async (t) => {
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

test('at a gap the client resumes from the end of its text', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.chunk(4, 'ef')
  assert.deepEqual(await peer.next(), resumeFrame('ab'))
  peer.chunk(2, 'cd')
  peer.chunk(4, 'ef')
  peer.done('abcdef')
  const parts = await answer
  assert.deepEqual([textOf(parts), endOf(parts).verified], ['abcdef', true])
})

test('a `done` before the text is complete makes the client request the rest', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.done('abcd')
  assert.deepEqual(await peer.next(), resumeFrame('ab'))
  peer.chunk(2, 'cd')
  peer.done('abcd')
  assert.equal(endOf(await answer).verified, true)
})

test('after a connection is lost during an answer, the client reconnects and the answer continues', async (t) => {
  const states: ConnectionState[] = []
  const { server, client } = await setUp(t, { onState: (state) => states.push(state) })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  first.chunk(0, '進撃の')
  // A clean close, so that the client first reads the frames that were sent.
  first.close(1001)
  const second = await server.connection()
  assert.deepEqual(await second.next(), resumeFrame('進撃の'))
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
  assert.deepEqual(again, { ...asked, attempt: 2 })
  second.chunk(0, 'b')
  second.done('b')
  assert.equal(textOf(await answer), 'b')
})

test('the caller’s idempotency key is sent', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a', idempotencyKey: 'mine' }))
  const peer = await server.connection()
  const asked = await peer.accept()
  assert.deepEqual([asked.idempotencyKey, asked.attempt], ['mine', undefined], 'it may have been sent before')
  peer.done('')
  await answer
})

test('`attempt` is 1 for a key of the client; for a caller’s key the caller may set it', async (t) => {
  const { server, client } = await setUp(t)
  const own = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  assert.equal((await peer.accept()).attempt, 1)
  peer.done('')
  await own
  const given = collect(client.chat({ message: 'b', idempotencyKey: 'mine', attempt: 3 }))
  assert.equal((await peer.accept()).attempt, 3)
  peer.done('')
  await given
})

test('a question fails after a bounded number of dropped connections', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const dropping = (async () => {
    for (let dropped = 0; dropped < 100; dropped += 1) (await server.connection()).close(1001)
  })()
  dropping.catch(() => {})
  await assert.rejects(answer, { name: 'ChatError', code: 'CONNECTION_LOST' })
})

test('a question fails after a bounded number of attempts to reach an unavailable server', async (t) => {
  const { server, client } = await setUp(t)
  await server[Symbol.asyncDispose]()
  await assert.rejects(collect(client.chat({ message: 'a' })), { name: 'ChatError', code: 'CONNECTION_LOST' })
})

test('a refused connection is not retried', async (t) => {
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

test('a text with the wrong hash is read once more, and no text is yielded twice', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'abX')
  peer.done('abcd')
  assert.deepEqual(await peer.next(), resumeFrame('abX'))
  peer.chunk(3, 'd')
  peer.done('abcd')
  assert.deepEqual(await peer.next(), { type: 'resume', turnId: 't1', offset: 0 })
  peer.chunk(0, 'abc')
  peer.chunk(3, 'd')
  peer.done('abcd')
  const parts = await answer
  assert.deepEqual([endOf(parts).text, endOf(parts).verified, textOf(parts)], ['abcd', true, 'abXd'])
})

test('a text with the wrong hash the second time too ends with `verified: false`', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'abX')
  peer.done('abc')
  assert.deepEqual(await peer.next(), { type: 'resume', turnId: 't1', offset: 0 })
  peer.chunk(0, 'abX')
  peer.done('abc')
  assert.deepEqual([endOf(await answer).text, endOf(await answer).verified], ['abX', false])
})

test('abort stops the turn, and the answer ends as `stopped`', async (t) => {
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

test('abort before the question is sent throws and sends nothing', async (t) => {
  const { client } = await setUp(t)
  await assert.rejects(collect(client.chat({ message: 'a', signal: AbortSignal.abort() })), { name: 'AbortError' })
})

test('abort during a lost connection throws at once, and the stop is sent after the reconnection', async (t) => {
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

test('an error frame is thrown with all its fields', async (t) => {
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

test('an error frame during a turn ends it', async (t) => {
  const { server, client } = await setUp(t)
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.send({ type: 'error', turnId: 't1', code: 'INTERNAL_ERROR', message: 'broken' })
  await assert.rejects(answer, { name: 'ChatError', code: 'INTERNAL_ERROR' })
})

test('resume with an offset yields only the text after it, and still verifies the whole', async (t) => {
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
