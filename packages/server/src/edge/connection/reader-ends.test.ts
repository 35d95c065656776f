// How the reading of an answer over a connection ended, and what was sent, for the record of its turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeCodes } from '@mangaassist/protocol'
import type { App } from '#app/app.ts'
import { defaults } from '#config/config.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { FakeApp, settle } from '#fixtures/edge/edge.ts'
import { chat, openConnection } from '#fixtures/edge/connection.ts'

/** Keeps what the door counts of each reading. */
class MeteredApp extends FakeApp {
  readonly meters: ReaderMeter[] = []

  override read(...asked: Parameters<App['read']>): ReturnType<App['read']> {
    const [, { meter }] = asked
    if (meter !== undefined) this.meters.push(meter)
    return super.read(...asked)
  }
}

async function reading() {
  const app = new MeteredApp()
  const opened = await openConnection({ app })
  const { say } = opened
  await say(chat('r1'))
  const turn = app.turn('turn_1')
  turn.say('鬼滅')
  await settle()
  const recorded = () => app.meters.map((meter) => meter.sentTo({ acceptedAt: 0, offset: 0 }))
  const ends = () => recorded().map(({ end }) => end)
  return { ...opened, app, ends, recorded, turn }
}

test('a reader has what it was sent of the turn, and nothing else, and its end when everything was sent', async () => {
  const { recorded, say, transport, turn } = await reading()
  const chunk = transport.frames.find(({ type }) => type === 'chunk')
  assert.equal(recorded()[0]?.bytes, Buffer.byteLength(JSON.stringify(chunk)))
  await say({ type: 'ping' })
  assert.deepEqual([recorded()[0]?.frames, recorded()[0]?.end], [1, undefined], 'it still reads')
  turn.end()
  await settle()
  assert.deepEqual([recorded()[0]?.frames, recorded()[0]?.end], [2, 'complete'])
})

test('a client that disconnects, and a connection that the server closes', async () => {
  const left = await reading()
  left.connection.closed()
  await settle()
  assert.deepEqual(left.ends(), ['left'])
  const closed = await reading()
  closed.connection.close(closeCodes.identityExpired, 'identity expired')
  // The transport reports every close.
  closed.connection.closed()
  await settle()
  assert.deepEqual(closed.ends(), ['closed'])
})

test('a client that drains nothing was too slow, with the pause that led to it', async () => {
  const { advance, recorded, transport, turn } = await reading()
  const { highWaterBytes, stalledPollMs, stalledPollsMax } = defaults.streaming
  transport.frameCostBytes = 3 * highWaterBytes
  turn.say('a')
  await settle()
  await advance(stalledPollMs * stalledPollsMax)
  await settle()
  assert.equal(transport.closeCode(), closeCodes.tooSlow)
  const [{ end, pausedMs, pauses } = {}] = recorded()
  assert.deepEqual([end, pauses, pausedMs], ['too-slow', 1, stalledPollMs * stalledPollsMax])
})

test('a turn that is asked for again on its connection has a new reader, and a failed read has failed', async () => {
  const { app, ends, say, turn } = await reading()
  await say({ type: 'resume', turnId: 'turn_1', offset: 2 })
  assert.deepEqual(ends(), ['replaced', undefined])
  turn.read = () => {
    throw new Error('the log is damaged')
  }
  await say({ type: 'resume', turnId: 'turn_1', offset: 2 })
  assert.deepEqual(ends(), ['replaced', 'replaced', 'failed'])
  assert.equal(app.meters.length, 3)
})
