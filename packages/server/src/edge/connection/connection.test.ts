// One connection over a fake transport, a fake app and virtual time: every frame, limit and timer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { chat, dial, openConnection as open } from '#fixtures/edge/connection.ts'
import { FakeApp, guest, quotaState, settle } from '#fixtures/edge/edge.ts'

test('ready is the first frame, also for a client that sends before it', async () => {
  const { connection, transport } = dial()
  connection.receive('{"type":"ping"}')
  await settle()
  assert.deepEqual(transport.types(), ['ready', 'heartbeat'])
})

test('a connection that cannot open sends an error and closes', async () => {
  const app = new FakeApp()
  app.quotaFailure = new Error('the database is gone')
  const { transport, telemetry } = await open({ app })
  assert.deepEqual(transport.types(), ['error'])
  assert.equal(transport.closeCode(), 1011)
  assert.equal(telemetry.logged.filter((entry) => entry.level === 'error').length, 1)
})

test('a question is accepted, then its frames follow as the turn is written', async () => {
  const { app, connection, transport, say } = await open()
  await say(chat('r1', { maxTokens: 50, language: 'ja', unknownField: 1 }))
  const asked = app.asked.map(({ scope: _, ...request }) => request)
  assert.deepEqual(asked, [
    {
      principal: guest,
      route: 'stream',
      requestId: 'r1',
      writer: connection.id,
      message: 'おすすめは？',
      maxTokens: 50,
      language: 'ja',
    },
  ])
  const turn = app.turn('turn_1')
  turn.meta()
  turn.say('こん')
  await settle()
  turn.say('にちは')
  turn.end()
  await settle()
  assert.deepEqual(transport.types(), ['ready', 'accepted', 'meta', 'chunk', 'chunk', 'done'])
  assert.equal(turn.readers, 0)
})

const malformed: [string, string, string][] = [
  ['not JSON', '{', 'frame'],
  ['not an object', '[1]', 'frame'],
  ['null', 'null', 'frame'],
  ['without a type', '{}', 'type'],
  ['of an unknown type', '{"type":"constructor"}', 'type'],
  ['without a field', '{"type":"chat","requestId":"r"}', 'message'],
  ['with a field of the wrong kind', '{"type":"chat","requestId":"r","message":7}', 'message'],
  ['with an unknown language', '{"type":"chat","requestId":"r","message":"x","language":"fr"}', 'language'],
  ['with a negative offset', '{"type":"resume","turnId":"t","offset":-1}', 'offset'],
  ['with a fractional offset', '{"type":"resume","turnId":"t","offset":1.5}', 'offset'],
  ['with an id that is no id', '{"type":"stop","turnId":"a b"}', 'turnId'],
]
for (const [name, text, field] of malformed) {
  test(`a frame ${name} is refused with the field’s name, and the connection stays`, async () => {
    const { transport, say, last, lastError } = await open()
    await say(text)
    assert.equal(lastError().code, 'INVALID_REQUEST')
    assert.equal(lastError().details?.['field'], field)
    assert.equal(transport.closeCode(), undefined)
    await say({ type: 'ping' })
    assert.equal(last().type, 'heartbeat')
  })
}

test('a question carries its attempt number', async () => {
  const { app, say, lastError } = await open()
  await say(chat('r1', { idempotencyKey: 'k1', attempt: 2 }))
  assert.equal(app.asked[0]?.attempt, 2)
  await say(chat('r2', { idempotencyKey: 'k1', attempt: 0 }))
  assert.equal(lastError().details?.['field'], 'attempt')
})

test('a refused frame names its request', async () => {
  const { say, lastError } = await open()
  await say({ type: 'chat', requestId: 'r9', message: null })
  assert.equal(lastError().requestId, 'r9')
})

test('errors are in the language of the last question', async () => {
  const { app, say, lastError } = await open()
  app.onChat = async () => {
    throw new Refusal('SESSION_BUSY')
  }
  await say('{')
  assert.match(lastError().message, /入力/)
  await say(chat('r1', { message: 'hello there' }))
  assert.match(lastError().message, /still answering/)
  await say(chat('r2', { message: '…' }))
  assert.match(lastError().message, /still answering/)
  await say(chat('r3', { message: 'hello', language: 'ja' }))
  assert.match(lastError().message, /お答え/)
})

test('an unknown error is sent without its message and logged with it', async () => {
  const { app, say, lastError, telemetry } = await open()
  app.onChat = async () => {
    throw new Error('secret path /var/lib')
  }
  await say(chat('r1'))
  assert.equal(lastError().code, 'INTERNAL_ERROR')
  assert.doesNotMatch(JSON.stringify(lastError()), /secret/)
  assert.match(String(telemetry.logged.find((entry) => entry.level === 'error')?.cause), /secret/)
})

test('a resume of a followed turn replaces its reader', async () => {
  const { app, transport, say } = await open()
  await say(chat('r1'))
  const turn = app.turn('turn_1')
  turn.say('abcdef')
  await settle()
  await say({ type: 'resume', turnId: 'turn_1', offset: 4 })
  assert.equal(turn.readers, 1)
  turn.say('gh')
  turn.end()
  await settle()
  const chunks = transport.frames.filter((frame) => frame.type === 'chunk').map((frame) => [frame.offset, frame.text])
  assert.deepEqual(chunks, [
    [0, 'abcdef'],
    [4, 'ef'],
    [6, 'gh'],
  ])
  assert.equal(transport.types().filter((type) => type === 'done').length, 1)
})

test('a resume of an unknown turn is NOT_FOUND for that turn', async () => {
  const { say, lastError } = await open()
  await say({ type: 'resume', turnId: 'turn_x', offset: 0 })
  assert.equal(lastError().code, 'NOT_FOUND')
  assert.equal(lastError().turnId, 'turn_x')
})

test('a stop reaches the app, and a stop of an unknown turn is an error', async () => {
  const { app, say, lastError } = await open()
  await say(chat('r1'))
  await say({ type: 'stop', turnId: 'turn_1' })
  assert.deepEqual(app.stopped, ['turn_1'])
  await say({ type: 'stop', turnId: 'turn_x' })
  assert.equal(lastError().turnId, 'turn_x')
})

test('a disconnect ends its readers and stops no turn', async () => {
  const { app, connection, say } = await open()
  await say(chat('r1'))
  await say({ type: 'watch', sessionId: 'session_1' })
  connection.closed()
  await settle()
  assert.equal(app.turn('turn_1').readers, 0)
  assert.deepEqual(app.stopped, [])
})

test('a ninth turn is refused before it is admitted, and there is room again when one ends', async () => {
  const { app, say, lastError, last } = await open()
  for (let count = 1; count <= 8; count += 1) await say(chat(`r${count}`))
  await say(chat('r9'))
  assert.equal(lastError().code, 'RATE_LIMITED')
  assert.equal(lastError().requestId, 'r9')
  assert.equal(app.asked.length, 8)
  app.turn('turn_1').end()
  await settle()
  await say(chat('r10'))
  assert.equal(last().type, 'accepted')
})

test('a thirty-third request in flight is refused', async () => {
  const { app, say, lastError } = await open()
  app.stop = () => new Promise(() => {})
  for (let count = 1; count <= 32; count += 1) await say({ type: 'stop', turnId: `t${count}` })
  await say({ type: 'stop', turnId: 't33' })
  assert.equal(lastError().code, 'RATE_LIMITED')
  assert.equal(lastError().turnId, 't33')
})

test('a heartbeat follows a silence, by timer, also while the model is silent', async () => {
  const { app, transport, say, advance } = await open()
  await say(chat('r1'))
  await advance(4999)
  assert.equal(transport.types().includes('heartbeat'), false)
  app.turn('turn_1').say('x')
  await settle()
  await advance(4999)
  assert.equal(transport.types().includes('heartbeat'), false)
  await advance(1)
  assert.equal(transport.frames.at(-1)?.type, 'heartbeat')
  await advance(10_000)
  assert.equal(transport.types().filter((type) => type === 'heartbeat').length, 3)
})

test('a client without frames and readers is closed as idle; a reader and a watcher are not', async () => {
  const idle = await open()
  await idle.advance(defaults.server.connectionIdleMs - 1)
  assert.equal(idle.transport.closeCode(), undefined)
  await idle.advance(1)
  assert.equal(idle.transport.closeCode(), 4408)

  const follower = await open()
  await follower.say(chat('r1'))
  await follower.advance(3 * defaults.server.connectionIdleMs)
  assert.equal(follower.transport.closeCode(), undefined)
  follower.app.turn('turn_1').end()
  await settle()
  await follower.advance(defaults.server.connectionIdleMs)
  assert.equal(follower.transport.closeCode(), 4408)

  const watcher = await open()
  await watcher.say({ type: 'watch', sessionId: 'session_1' })
  await watcher.advance(3 * defaults.server.connectionIdleMs)
  assert.equal(watcher.transport.closeCode(), undefined)
})

test('a client above the high-water mark gets nothing until it has drained to half', async () => {
  const { app, transport, say, advance } = await open()
  await say(chat('r1'))
  transport.frameCostBytes = defaults.streaming.highWaterBytes + 1
  const turn = app.turn('turn_1')
  for (const text of ['a', 'b', 'c']) turn.say(text)
  await settle()
  transport.frameCostBytes = 0
  const chunks = () => transport.frames.filter((frame) => frame.type === 'chunk').length
  assert.equal(chunks(), 1)
  transport.unsentBytes = defaults.streaming.highWaterBytes / 2 + 1
  await advance(defaults.streaming.stalledPollMs)
  assert.equal(chunks(), 1)
  transport.unsentBytes = defaults.streaming.highWaterBytes / 2
  await advance(defaults.streaming.stalledPollMs)
  assert.equal(chunks(), 3)
})

test('a client that drains nothing in all polls is closed so that it resumes; slow progress counts', async () => {
  const { app, transport, say, advance } = await open()
  const { highWaterBytes, stalledPollMs, stalledPollsMax } = defaults.streaming
  await say(chat('r1'))
  transport.frameCostBytes = 3 * highWaterBytes
  app.turn('turn_1').say('a')
  await settle()
  transport.frameCostBytes = 0
  for (let poll = 0; poll < 2 * stalledPollsMax; poll += 1) {
    transport.unsentBytes -= 1
    await advance(stalledPollMs)
  }
  assert.equal(transport.closeCode(), undefined)
  await advance(stalledPollMs * (stalledPollsMax - 1))
  assert.equal(transport.closeCode(), undefined)
  await advance(stalledPollMs)
  assert.equal(transport.closeCode(), 4409)
  await settle()
  assert.equal(app.turn('turn_1').readers, 0)
})

test('a slow connection does not delay another reader of the same turn', async () => {
  const app = new FakeApp()
  const slow = await open({ app })
  const quick = await open({ app })
  await slow.say(chat('r1'))
  await quick.say({ type: 'resume', turnId: 'turn_1', offset: 0 })
  slow.transport.frameCostBytes = defaults.streaming.highWaterBytes + 1
  for (const text of ['a', 'b', 'c']) app.turn('turn_1').say(text)
  app.turn('turn_1').end()
  await settle()
  assert.equal(quick.transport.types().at(-1), 'done')
  assert.equal(slow.transport.types().at(-1), 'chunk')
})

test('a client that sends and never reads is closed at the hard cap', async () => {
  const { transport, say } = await open()
  transport.frameCostBytes = defaults.streaming.highWaterBytes
  for (let count = 0; count < 10 && transport.closedWith === undefined; count += 1) await say({ type: 'ping' })
  assert.equal(transport.closeCode(), 4409)
})

test('a watch of an unknown session is NOT_FOUND and names it', async () => {
  const { say, lastError } = await open()
  await say({ type: 'watch', sessionId: 'session_unknown' })
  assert.equal(lastError().code, 'NOT_FOUND')
  assert.equal(lastError().details?.['sessionId'], 'session_unknown')
})

test('a duplicate is marked as one and is read from the start', async () => {
  const { app, transport, say } = await open()
  await say(chat('r1'))
  app.turn('turn_1').say('abc')
  await settle()
  app.onChat = async () => ({ turnId: 'turn_1', sessionId: 'session_1', duplicate: true, quota: quotaState })
  await say(chat('r2'))
  const accepted = transport.frames.filter((frame) => frame.type === 'accepted')
  assert.equal(accepted[1]?.duplicate, true)
  assert.equal(transport.frames.filter((frame) => frame.type === 'chunk').length, 2)
  assert.equal(app.turn('turn_1').readers, 1)
})

test('a turn without an end record is an error, not silence', async () => {
  const { app, say, lastError } = await open()
  app.read = async () => (async function* () {})()
  await say(chat('r1'))
  assert.equal(lastError().code, 'INTERNAL_ERROR')
  assert.equal(lastError().turnId, 'turn_1')
})

test('quiet waits until the turns being read have reached their end', async () => {
  const { app, connection, say } = await open()
  await say(chat('r1'))
  let quiet = false
  void connection.quiet().then(() => (quiet = true))
  await settle()
  assert.equal(quiet, false)
  app.turn('turn_1').end()
  await settle()
  assert.equal(quiet, true)
})
