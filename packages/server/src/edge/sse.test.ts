// Event streams over a response that the test drains by hand: pace, patience and the end of a reader.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { defaults } from '#config.ts'
import { FakeTurn, handMovedTime, settle } from '../../test/fixtures/edge.ts'
import { EventStream, formatEvent, resumeOffset } from './sse.ts'

class FakeResponse extends EventEmitter {
  readonly written: string[] = []
  destroyed = false
  ended = false
  isFull = false

  get writableNeedDrain(): boolean {
    return this.isFull
  }

  write(text: string): boolean {
    this.written.push(text)
    return !this.isFull
  }

  end(): void {
    this.ended = true
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }

  drain(): void {
    this.isFull = false
    this.emit('drain')
  }

  events(): string[] {
    return this.written.map((text) => /^event: (\w+)/.exec(text)?.[1] ?? '')
  }
}

function open() {
  const { advance, clock } = handMovedTime()
  const response = new FakeResponse()
  const turn = new FakeTurn('turn_1')
  const stream = new EventStream({
    response: response as unknown as ServerResponse,
    clock,
    streaming: defaults.streaming,
    words: {
      frame: formatEvent,
      heartbeat: () => formatEvent({ type: 'heartbeat', at: '' }),
      error: () => formatEvent({ type: 'error', code: 'INTERNAL_ERROR', message: '' }),
    },
  })
  const sent = stream.send('', async (signal) => turn.read(0, signal))
  return { advance, response, sent, turn }
}

test('nothing more is read while the last event has not drained', async () => {
  const { response, sent, turn } = open()
  response.isFull = true
  for (const text of ['a', 'b']) turn.say(text)
  turn.end()
  await settle()
  assert.deepEqual(response.events(), ['chunk'])
  response.drain()
  await sent
  assert.deepEqual(response.events(), ['chunk', 'chunk', 'done'])
  assert.equal(response.ended, true)
})

test('a reader that does not drain is dropped, is sent no heartbeats meanwhile, and its reading ends', async () => {
  const { advance, response, sent, turn } = open()
  const { lookMs, stalledLooksMax } = defaults.streaming
  response.isFull = true
  turn.say('a')
  await settle()
  await advance(lookMs * stalledLooksMax - 1)
  assert.equal(response.destroyed, false)
  await advance(1)
  assert.equal(response.destroyed, true)
  await sent
  assert.equal(turn.readers, 0)
  assert.deepEqual(response.events(), ['chunk'])
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

test('what a reader saw last counts before what its address says, unless it makes no sense', () => {
  assert.equal(resumeOffset(undefined, undefined), 0)
  assert.equal(resumeOffset(undefined, 7), 7)
  assert.equal(resumeOffset('3', 7), 3)
  for (const odd of ['', '-1', '1.5', 'x', '9'.repeat(40)]) assert.equal(resumeOffset(odd, 7), 7)
})
