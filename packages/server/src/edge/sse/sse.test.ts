// Event streams over a response that the test drains by hand: pace, limits and the end of a reader.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { FakeTurn, handMovedTime, settle } from '#fixtures/edge/edge.ts'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { EventStream, formatEvent, resumeOffset } from './sse.ts'

class FakeResponse extends EventEmitter {
  readonly written: string[] = []
  destroyed = false
  ended = false
  socket = null
  writableLength = 0
  /** Unsent bytes that every event adds: 0 for a reader that keeps up. */
  eventCostBytes = 0

  get writableNeedDrain(): boolean {
    return this.writableLength > 0
  }

  write(text: string): boolean {
    this.written.push(text)
    this.writableLength += this.eventCostBytes
    return this.writableLength === 0
  }

  end(): void {
    this.ended = true
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }

  events(): string[] {
    return this.written.map((text) => /^event: (\w+)/.exec(text)?.[1] ?? '')
  }
}

function open() {
  const { advance, clock, telemetry } = handMovedTime()
  const response = new FakeResponse()
  const turn = new FakeTurn('turn_1')
  const meter = new ReaderMeter('sse', clock)
  const stream = new EventStream({
    response: response as unknown as ServerResponse,
    clock,
    telemetry,
    streaming: defaults.streaming,
    words: {
      frame: formatEvent,
      heartbeat: () => formatEvent({ type: 'heartbeat', at: '' }),
      error: () => formatEvent({ type: 'error', code: 'INTERNAL_ERROR', message: '' }),
    },
    meter,
  })
  const sent = stream.send('', async (signal) => turn.read(0, signal))
  const recorded = () => meter.sentTo({ acceptedAt: 0, offset: 0 })
  return { advance, recorded, response, sent, telemetry, turn }
}

const { highWaterBytes, stalledPollMs, stalledPollsMax } = defaults.streaming

test('above the high-water mark nothing more is read until half of it has drained', async () => {
  const { advance, recorded, response, sent, telemetry, turn } = open()
  response.eventCostBytes = highWaterBytes + 1
  for (const text of ['a', 'b']) turn.say(text)
  turn.end()
  await settle()
  assert.deepEqual(response.events(), ['chunk'])
  response.writableLength = response.eventCostBytes = 0
  await advance(stalledPollMs)
  await sent
  assert.deepEqual(response.events(), ['chunk', 'chunk', 'done'])
  assert.equal(response.ended, true)
  assert.deepEqual(
    telemetry.counted.map(({ name }) => name),
    ['reader_paused_total', 'reader_caught_up_total'],
  )
  const { bytes, end, frames, pausedMs, pauses } = recorded()
  assert.deepEqual([end, frames, pauses, pausedMs], ['complete', 3, 1, stalledPollMs])
  assert.equal(bytes, Buffer.byteLength(response.written.join('')))
})

test('a reader without progress gets no heartbeats, is dropped, and its read ends', async () => {
  const { advance, recorded, response, sent, telemetry, turn } = open()
  response.eventCostBytes = 2 * highWaterBytes
  turn.say('a')
  await settle()
  // Any progress counts, however slow.
  for (let poll = 0; poll < 2 * stalledPollsMax; poll += 1) {
    response.writableLength -= 1
    await advance(stalledPollMs)
  }
  await advance(stalledPollMs * stalledPollsMax - 1)
  assert.equal(response.destroyed, false)
  await advance(1)
  assert.equal(response.destroyed, true)
  await sent
  assert.equal(turn.readers, 0)
  assert.deepEqual(response.events(), ['chunk'])
  assert.equal(telemetry.counted.at(-1)?.name, 'reader_closed_total')
  assert.deepEqual([recorded().end, recorded().pauses], ['too-slow', 1])
})

test('heartbeats fill a silence, and stop with the stream', async () => {
  const { advance, response, sent, turn } = open()
  const { heartbeatMs } = defaults.streaming
  await advance(heartbeatMs)
  assert.deepEqual(response.events(), ['heartbeat'])
  turn.say('a')
  await settle()
  await advance(heartbeatMs - 1)
  assert.deepEqual(response.events(), ['heartbeat', 'chunk'])
  await advance(1)
  turn.end()
  await sent
  await advance(10 * heartbeatMs)
  assert.deepEqual(response.events(), ['heartbeat', 'chunk', 'heartbeat', 'done'])
})

test('Last-Event-ID takes precedence over the address, unless it is invalid', () => {
  assert.equal(resumeOffset(undefined, undefined), 0)
  assert.equal(resumeOffset(undefined, '7'), 7)
  assert.equal(resumeOffset('3', '7'), 3)
  for (const odd of ['', '-1', '1.5', 'x', '9'.repeat(40)]) assert.equal(resumeOffset(odd, '7'), 7)
})
