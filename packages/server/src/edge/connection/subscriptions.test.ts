// Writers and readers of one conversation, as two devices of one shopper see it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { chat, openConnection } from '#fixtures/edge/connection.ts'
import { FakeApp, quotaState, settle } from '#fixtures/edge/edge.ts'

/** Two devices at one app, which announces its turns to the watchers like the real app. */
async function twoDevices() {
  const app = new FakeApp()
  app.onChat = async ({ requestId, sessionId = 'session_1', writer = '' }) => {
    const { turnId } = app.turn(`turn_${requestId}`)
    app.announce({ turnId, requestId, writer }, sessionId)
    return { turnId, sessionId, duplicate: false, quota: quotaState }
  }
  const first = await openConnection({ app, name: 'first' })
  const second = await openConnection({ app, name: 'second' })
  const finish = async (requestId: string) => {
    app.turn(`turn_${requestId}`).end()
    await settle()
  }
  return { app, first, second, finish }
}

test('a watcher gets the turns of other devices, and its own only once', async () => {
  const { first, finish, second } = await twoDevices()
  await first.say({ type: 'watch', sessionId: 'session_1' })
  await second.say(chat('other'))
  await finish('other')
  assert.deepEqual(first.transport.types(), ['ready', 'accepted', 'done'])
  await first.say(chat('own'))
  await finish('own')
  assert.deepEqual(first.transport.types().slice(3), ['accepted', 'done'])
})

test('the writing device is notified once when another one writes, and continues to read', async () => {
  const { app, first, finish, second } = await twoDevices()
  await first.say(chat('a1'))
  await finish('a1')
  await second.say(chat('b1'))
  app.turn('turn_b1').say('hello')
  await finish('b1')
  await second.say(chat('b2'))
  await finish('b2')
  assert.deepEqual(first.transport.types().slice(3), ['transferred', 'accepted', 'chunk', 'done', 'accepted', 'done'])
  const [, , , transferred, accepted] = first.transport.frames
  assert.equal(transferred?.type === 'transferred' && transferred.sessionId, 'session_1')
  assert.equal(accepted?.type === 'accepted' && accepted.requestId, 'b1')
})

test('writing again makes this device the writer: then the other one is notified', async () => {
  const { first, finish, second } = await twoDevices()
  for (const [device, requestId] of [
    [first, 'a1'],
    [second, 'b1'],
    [first, 'a2'],
    [second, 'b2'],
  ] as const) {
    await device.say(chat(requestId))
    await finish(requestId)
  }
  const transfers = (device: typeof first) => device.transport.types().filter((type) => type === 'transferred').length
  assert.deepEqual([transfers(first), transfers(second)], [2, 1])
})

test('a device that only watches is not notified', async () => {
  const { first, finish, second } = await twoDevices()
  await first.say({ type: 'watch', sessionId: 'session_1' })
  await second.say(chat('b1'))
  await finish('b1')
  assert.equal(first.transport.types().includes('transferred'), false)
})

test('a turn without a writing device is delivered without a transfer', async () => {
  const { app, first, finish } = await twoDevices()
  await first.say(chat('a1'))
  await finish('a1')
  app.turn('turn_later').end()
  app.announce({ turnId: 'turn_later', requestId: 'a1' })
  await settle()
  assert.deepEqual(first.transport.types().slice(3), ['accepted', 'done'])
})

test('a repeat of a turn on a new connection is not a transfer, and is read once', async () => {
  const { app, first, second } = await twoDevices()
  await first.say(chat('a1'))
  app.onChat = async () => ({ turnId: 'turn_a1', sessionId: 'session_1', duplicate: true, quota: quotaState })
  await second.say(chat('a1'))
  // The app announces the running turn to every new watcher.
  app.announce({ turnId: 'turn_a1', requestId: 'a1', writer: first.connection.id })
  await settle()
  assert.deepEqual(second.transport.types(), ['ready', 'accepted'])
  assert.equal(app.turn('turn_a1').readers, 2)
})

test('a resumed turn is not read twice when its session is watched', async () => {
  const { app, first, second } = await twoDevices()
  await first.say(chat('a1'))
  app.turn('turn_a1').say('abc')
  await settle()
  await second.say({ type: 'resume', turnId: 'turn_a1', offset: 2 })
  await second.say({ type: 'watch', sessionId: 'session_1' })
  app.announce({ turnId: 'turn_a1', requestId: 'a1', writer: first.connection.id })
  await settle()
  assert.deepEqual(second.transport.types(), ['ready', 'chunk', 'accepted'])
})

test('an explicit watch keeps an idle connection open, having written does not', async () => {
  const { first, finish, second } = await twoDevices()
  await first.say(chat('a1'))
  await second.say({ type: 'watch', sessionId: 'session_1' })
  await finish('a1')
  await first.advance(defaults.server.connectionIdleMs)
  await second.advance(3 * defaults.server.connectionIdleMs)
  assert.equal(first.transport.closeCode(), 4408)
  assert.equal(second.transport.closeCode(), undefined)
})

test('of the sessions written in, the least recent one is dropped; explicitly watched ones stay', async () => {
  const { app, first, finish } = await twoDevices()
  await first.say({ type: 'watch', sessionId: 'session_watched' })
  for (let count = 0; count <= 8; count += 1) {
    await first.say(chat(`a${count}`, { sessionId: `session_${count}` }))
    await finish(`a${count}`)
    // Writing again makes it the most recent.
    if (count === 4) {
      await first.say(chat('again', { sessionId: 'session_0' }))
      await finish('again')
    }
  }
  const watched = ['session_watched', 'session_0', 'session_1', 'session_2', 'session_8']
  assert.deepEqual(
    watched.map((sessionId) => app.watchers(sessionId)),
    [1, 1, 0, 1, 1],
  )
})

test('a ninth watched session is refused, and repeating a watch is not', async () => {
  const { first } = await twoDevices()
  for (let count = 1; count <= 8; count += 1) await first.say({ type: 'watch', sessionId: `session_${count}` })
  await first.say({ type: 'watch', sessionId: 'session_1' })
  assert.deepEqual(first.transport.types(), ['ready'])
  await first.say({ type: 'watch', sessionId: 'session_9' })
  assert.equal(first.lastError().code, 'RATE_LIMITED')
})

test('a failed watch does not fail the question', async () => {
  const { app, first, finish } = await twoDevices()
  app.watch = () => Promise.reject(new Error('the store is gone'))
  await first.say(chat('a1'))
  await finish('a1')
  assert.deepEqual(first.transport.types(), ['ready', 'accepted', 'done'])
  assert.deepEqual(
    first.telemetry.logged.map(({ event }) => event),
    ['reader.follow-failed'],
  )
})

test('resumes are counted only when there is something to read', async () => {
  const { app, first } = await twoDevices()
  app.turn('turn_1').end()
  await first.say({ type: 'resume', turnId: 'turn_1', offset: 0 })
  await first.say({ type: 'resume', turnId: 'turn_unknown', offset: 0 })
  const resumed = first.telemetry.counted.filter(({ name }) => name === 'reader_resumed_total')
  assert.deepEqual(resumed, [{ name: 'reader_resumed_total', fields: { door: 'ws' } }])
})
