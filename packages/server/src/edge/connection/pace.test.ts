// The pace of one client: what counts as progress, and that all its readers wait for the same drain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { Pace } from './pace.ts'

const limits = { highWaterBytes: 100, stalledPollMs: 10, stalledPollsMax: 3 }

function pacing() {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const gone = new AbortController()
  const client = { unsent: 0, mark: 0, stalled: false }
  const pace = new Pace({
    clock,
    telemetry,
    limits,
    door: 'ws',
    outflow: { bufferedBytes: () => client.unsent, progressMark: () => client.mark },
    onStalled: () => (client.stalled = true),
    signal: gone.signal,
  })
  const counts = () => telemetry.counted.map(({ name }) => name)
  const pauses = () => telemetry.observed.map(({ fields, name, value }) => [name, value, fields['door']])
  const reader = () => new ReaderMeter('ws', clock)
  return { client, clock, counts, gone, pace, pauses, reader }
}

test('a client that keeps up waits for nothing', async () => {
  const { client, clock, counts, pace, reader } = pacing()
  client.unsent = 100
  await pace.room(reader())
  assert.equal(clock.timers(), 0)
  assert.deepEqual(counts(), [])
})

test('all readers of a slow client wait for one drain, which is counted once with its length, and each has its pause', async () => {
  const { client, clock, counts, pace, pauses, reader } = pacing()
  client.unsent = 101
  let waiting = 3
  const readers = [reader(), reader(), reader()]
  for (const one of readers) void pace.room(one).then(() => (waiting -= 1))
  assert.equal(clock.timers(), 1)
  client.unsent = 50
  await clock.advance(10)
  assert.equal(waiting, 0)
  assert.deepEqual(counts(), ['reader_paused_total', 'reader_caught_up_total'])
  assert.deepEqual(pauses(), [['reader_pause_seconds', 0.01, 'ws']])
  const paused = readers.map((one) => one.sentTo({ acceptedAt: 0, offset: 0 }).pausedMs)
  assert.deepEqual(paused, [10, 10, 10])
})

test('a large write that leaves in pieces counts as progress, although it is counted whole until it has left', async () => {
  const { client, clock, counts, pace, reader } = pacing()
  client.unsent = 200
  void pace.room(reader())
  for (let poll = 0; poll < 10; poll += 1) {
    client.mark += 1
    await clock.advance(10)
  }
  assert.equal(client.stalled, false)
  await clock.advance(30)
  assert.equal(client.stalled, true)
  assert.deepEqual(counts(), ['reader_paused_total', 'reader_closed_total'])
})

test('a client that leaves ends the wait', async () => {
  const { client, clock, gone, pace, reader } = pacing()
  client.unsent = 200
  const room = assert.rejects(pace.room(reader()))
  gone.abort()
  await room
  assert.equal(clock.timers(), 0)
  assert.equal(client.stalled, false)
})
