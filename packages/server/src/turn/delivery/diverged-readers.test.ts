// Readers of a turn whose lost owner showed text that the log does not have: they continue where the log continues their
// text, and otherwise get the end of their own text, never other text in its place.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import type { LogEntry, LogRecord, TurnLog } from '#ports/turn-log/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleEnd, sampleMeta, sampleOutcome } from '#fixtures/turns/samples.ts'
import { collect } from '#fixtures/time/streams.ts'
import { readFrames } from './readers.ts'
import type { TurnFrame } from './readers.ts'
import type { HeldText } from './shown-text.ts'

const never = new AbortController().signal
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function records(epoch: number, entries: readonly LogEntry[]): readonly LogRecord[] {
  return entries.map((entry, index) => ({ ...entry, seq: index + 1, epoch }))
}

function saying(text: string, pieceUnits = 3): readonly LogEntry[] {
  const pieces = text.match(new RegExp(`[^]{1,${pieceUnits}}`, 'gu')) ?? []
  let offset = 0
  return pieces.map((piece) => {
    offset += piece.length
    return { kind: 'text', offset: offset - piece.length, text: piece }
  })
}

function ending(text: string): readonly LogEntry[] {
  const end = sampleEnd({ length: text.length, sha256: hashOf(text) })
  return [
    { kind: 'text-end', outcome: sampleOutcome() },
    { kind: 'turn-end', end },
  ]
}

/** Each read gets the next of these; all but the last fail, as when another node continued the turn. */
function logOf(readings: readonly (readonly LogRecord[])[]): Pick<TurnLog, 'follow'> {
  let count = 0
  return {
    async *follow() {
      const batch = readings[Math.min(count, readings.length - 1)] ?? []
      count += 1
      for (const record of batch) yield [record]
      if (count < readings.length) throw new Error('continued on another node')
    },
  }
}

async function read(readings: readonly (readonly LogRecord[])[], held: HeldText = { offset: 0 }) {
  const [clock, telemetry] = [manualClock(), memoryTelemetry()]
  const parts = { clock, telemetry, turnLog: logOf(readings) as TurnLog, streaming: { frameBytesMax: 1024 } }
  const frames = collect(readFrames(parts, { turnId: 'turn_1', ...held }, never))
  for (let tries = 0; tries < readings.length; tries += 1) await clock.advance(1000)
  return { frames: await frames, telemetry }
}

function textOf(frames: readonly TurnFrame[], from: number): string {
  let text = ''
  for (const frame of frames) {
    if (frame.type !== 'chunk') continue
    assert.equal(frame.offset, from + text.length, 'nothing is shown twice, nothing is left out')
    text += frame.text
  }
  return text
}

function doneOf(frames: readonly TurnFrame[]) {
  const last = frames.at(-1)
  assert.equal(last?.type, 'done')
  return last
}

const ended = (epoch: number, text: string) => records(epoch, [...saying(text), ...ending(text)])
const open = (text: string) => records(1, saying(text))

test('a reader continues where the log continues its text', async () => {
  const { frames } = await read([open('one two '), ended(2, 'one two three')])
  assert.equal(textOf(frames, 0), 'one two three')
  assert.deepEqual([doneOf(frames).finishReason, doneOf(frames).sha256], ['stop', hashOf('one two three')])
})

test('when the log has other text, a reader keeps its own and gets an honest end', async () => {
  const { frames, telemetry } = await read([open('one two'), ended(2, 'one three four')])
  assert.equal(textOf(frames, 0), 'one two')
  const { finishReason, length, sha256, sessionVersion } = doneOf(frames)
  assert.deepEqual([finishReason, length, sha256], ['interrupted', 7, hashOf('one two')])
  assert.equal(sessionVersion, sampleEnd().sessionVersion, 'the rest is the turn’s')
  assert.equal(telemetry.counted.filter(({ name }) => name === 'reader_diverged_total').length, 1)
})

test('a turn that ended with less text than a reader has takes nothing back', async () => {
  const { frames } = await read([open('one two'), ended(2, 'one')])
  assert.equal(textOf(frames, 0), 'one two')
  assert.deepEqual([doneOf(frames).finishReason, doneOf(frames).sha256], ['interrupted', hashOf('one two')])
})

test('a reader of other text gets nothing of the log’s answer, not even its cards', async () => {
  const other: readonly LogEntry[] = [
    ...saying('one three'),
    { kind: 'meta', meta: sampleMeta() },
    ...ending('one three'),
  ]
  const { frames } = await read([open('one two'), records(2, other)])
  assert.deepEqual(
    frames.map(({ type }) => type).filter((type) => type !== 'chunk'),
    ['done'],
  )
})

test('a client that proves its text by hash gets what follows it, or the end of its own text', async () => {
  const had = 'one two'
  const held = { offset: had.length, sha256: hashOf(had) }
  const follows = await read([ended(1, 'one two three')], held)
  assert.equal(textOf(follows.frames, had.length), ' three')
  assert.equal(doneOf(follows.frames).finishReason, 'stop')
  for (const other of ['one three four', 'one']) {
    const { frames } = await read([ended(2, other)], held)
    assert.equal(textOf(frames, had.length), '')
    const { finishReason, length, sha256 } = doneOf(frames)
    assert.deepEqual([finishReason, length, sha256], ['interrupted', had.length, held.sha256])
  }
})

test('whatever the owners wrote, each reader’s text never changes and matches the hash in its end', async () => {
  const words = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'あ', '👪') })
  await fc.assert(
    fc.asyncProperty(words, words, words, fc.nat(12), async (shared, first, second, units) => {
      const had = [...(shared + first)].slice(0, units).join('')
      const held = { offset: had.length, sha256: hashOf(had) }
      const { frames } = await read([open(shared + first), ended(2, shared + second)], held)
      const text = had + textOf(frames, had.length)
      const { length, sha256 } = doneOf(frames)
      assert.deepEqual([length, sha256], [text.length, hashOf(text)])
    }),
    { numRuns: 200 },
  )
})
