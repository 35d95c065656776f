// The pace of one client: what counts as progress, and that all its readers wait for the same drain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
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
  return { client, clock, counts, gone, pace, pauses }
}

test('a client that keeps up waits for nothing', async () => {
  const { client, clock, counts, pace } = pacing()
  client.unsent = 100
  await pace.room()
  assert.equal(clock.timers(), 0)
  assert.deepEqual(counts(), [])
})

test('all readers of a slow client wait for one drain, which is counted once with its length', async () => {
  const { client, clock, counts, pace, pauses } = pacing()
  client.unsent = 101
  let waiting = 3
  for (let reader = 0; reader < 3; reader += 1) void pace.room().then(() => (waiting -= 1))
  assert.equal(clock.timers(), 1)
  client.unsent = 50
  await clock.advance(10)
  assert.equal(waiting, 0)
  assert.deepEqual(counts(), ['reader_paused_total', 'reader_caught_up_total'])
  assert.deepEqual(pauses(), [['reader_pause_seconds', 0.01, 'ws']])
})

test('a large write that leaves in pieces counts as progress, although it is counted whole until it has left', async () => {
  const { client, clock, counts, pace } = pacing()
  client.unsent = 200
  void pace.room()
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
  const { client, clock, gone, pace } = pacing()
  client.unsent = 200
  const room = assert.rejects(pace.room())
  gone.abort()
  await room
  assert.equal(clock.timers(), 0)
  assert.equal(client.stalled, false)
})
