// When and how the client reconnects: by close code, when the page wakes, after a silence. In mocked time.
import assert from 'node:assert/strict'
import test from 'node:test'
import { resumeFrame } from './testing/resume-frame.ts'
import { fakePage, setUpInMockedTime } from './testing/fake-socket.ts'

test('a question that loses its connection again and again fails, even while other turns progress', async (t) => {
  const { ask, connected, pass, client } = setUpInMockedTime(t)
  const poison = ask('a')
  const keys = new Set<unknown>()
  for (let sends = 1; sends <= 4; sends++) {
    const socket = await connected()
    keys.add(socket.chats[0]?.idempotencyKey)
    assert.equal(socket.chats[0]?.attempt, sends)
    // Progress of another turn resets the count of failed attempts.
    const other = client.resume('t9')[Symbol.asyncIterator]()
    other.next().catch(() => {})
    await pass(0)
    socket.say({ type: 'chunk', turnId: 't9', offset: 0, text: 'x' })
    await pass(0)
    assert.equal(poison.failed, undefined)
    socket.drop()
    await pass(0)
  }
  await connected()
  assert.deepEqual([(poison.failed as { code: string }).code, keys.size], ['CONNECTION_LOST', 1])
})

test('after 1001 the client waits up to two seconds, after 4429 at least ten', async (t) => {
  const { page, wake } = fakePage()
  const { ask, connected, pass, sockets } = setUpInMockedTime(t, { page }, 0.9)
  ask('a')
  const first = await connected()
  first.accept()
  first.drop(1001)
  await pass(0)
  await pass(1799)
  assert.equal(sockets.length, 1)
  await pass(1)
  assert.equal(sockets.length, 2)
  sockets[1]?.drop(4429)
  await pass(0)
  wake('visibilitychange')
  await pass(9_999)
  assert.equal(sockets.length, 2)
  await pass(1)
  await pass(8_000)
  const third = await connected()
  assert.deepEqual([sockets.length, third.sent], [3, [{ type: 'resume', turnId: 't1', offset: 0 }]])
})

test('after 4409 the client reconnects and resumes', async (t) => {
  const { ask, connected, pass } = setUpInMockedTime(t)
  ask('a')
  const first = await connected()
  first.accept()
  first.say({ type: 'chunk', turnId: 't1', offset: 0, text: 'abc' })
  await pass(0)
  first.drop(4409)
  await pass(0)
  assert.deepEqual((await connected()).sent, [resumeFrame('abc')])
})

for (const event of ['pageshow', 'visibilitychange'] as const) {
  test(`on ${event} the client pings, and replaces the connection after two seconds without a response`, async (t) => {
    const { page, wake } = fakePage()
    const { ask, connected, pass, sockets } = setUpInMockedTime(t, { page })
    ask('a')
    const first = await connected()
    first.accept()
    await pass(0)
    wake(event)
    assert.deepEqual(first.sent.at(-1), { type: 'ping' })
    first.say({ type: 'heartbeat', at: '' })
    await pass(4000)
    assert.equal(sockets.length, 1)
    wake(event)
    await pass(1999)
    assert.equal(sockets.length, 1)
    await pass(1)
    await pass(0)
    assert.deepEqual((await connected()).sent, [{ type: 'resume', turnId: 't1', offset: 0 }])
  })
}

test('after two missing heartbeats the client pings, after three it reconnects', async (t) => {
  const { ask, connected, pass, sockets } = setUpInMockedTime(t)
  ask('a')
  const first = await connected()
  first.accept()
  await pass(9_999)
  assert.equal(first.sent.length, 1)
  await pass(1)
  assert.deepEqual(first.sent.at(-1), { type: 'ping' })
  await pass(5_000)
  await pass(0)
  assert.equal(sockets.length, 2)
})

test('the next question checks a connection that went silent while idle', async (t) => {
  const { ask, connected, pass, client } = setUpInMockedTime(t)
  void client.stop('t0')
  const first = await connected()
  await pass(60_000)
  ask('a')
  await pass(0)
  assert.deepEqual(
    first.sent.map(({ type }) => type),
    ['stop', 'ping', 'chat'],
  )
  await pass(2_000)
  await pass(0)
  assert.equal((await connected()).chats[0]?.idempotencyKey, first.chats[0]?.idempotencyKey)
})
