// What reading a turn reports to operators: text that a reader already had, and missing text, which must not happen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import type { LogEntry } from '#ports/turn-log/port.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleEnd, sampleOutcome, sampleSession } from '#fixtures/turns/samples.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { sampleAdmitted } from '#fixtures/turns/turns.ts'
import { readFrames, watchSession } from './readers.ts'

const never = new AbortController().signal
const ending: readonly LogEntry[] = [
  { kind: 'text-end', outcome: sampleOutcome() },
  { kind: 'turn-end', end: sampleEnd() },
]

async function reading(entries: readonly LogEntry[], offset: number) {
  const { turnLog } = await testPorts()
  await turnLog.open(sampleAdmitted().start, 10_000)
  await turnLog.append('turn_1', 1, [...entries, ...ending])
  const telemetry = memoryTelemetry()
  const { streaming } = defaults
  return {
    telemetry,
    frames: collect(
      readFrames({ clock: manualClock(), turnLog, telemetry, streaming }, { turnId: 'turn_1', offset }, never),
    ),
  }
}

test('text that a reader already had is trimmed and counted', async () => {
  const texts = [
    { kind: 'text', offset: 0, text: 'abc' },
    { kind: 'text', offset: 3, text: 'defg' },
    { kind: 'text', offset: 7, text: 'h' },
  ] as const
  const { frames, telemetry } = await reading(texts, 5)
  await frames
  assert.deepEqual(
    telemetry.observed.map(({ name, value }) => [name, value]),
    [
      ['reader_duplicate_characters', 3],
      ['reader_duplicate_characters', 2],
    ],
  )
  assert.deepEqual(telemetry.counted, [])
})

test('a gap in the log is counted and ends the read: no reader gets text with a gap', async () => {
  const texts = [
    { kind: 'text', offset: 0, text: 'abc' },
    { kind: 'text', offset: 4, text: 'e' },
  ] as const
  const { frames, telemetry } = await reading(texts, 0)
  await assert.rejects(frames, /reader at 3/)
  assert.deepEqual(
    telemetry.counted.map(({ name }) => name),
    ['reader_gap_total'],
  )
})

test('a watcher learns which connection opened a turn, also a running one', async () => {
  const ports = await testPorts()
  const controller = new AbortController()
  const openings = watchSession(ports, sampleSession(), controller.signal)
  const next = openings.next()
  await ports.clock.advance(0)
  await ports.turnLog.open(sampleAdmitted({ writer: 'conn_1' }).start, 10_000)
  assert.equal((await next).value?.writer, 'conn_1')
  await ports.budgets.admit(sampleAsk({ turnId: 'turn_1', sessionId: 'sess_1' }))
  const late = watchSession(ports, sampleSession(), controller.signal)
  assert.equal((await late.next()).value?.writer, 'conn_1')
  controller.abort()
})
