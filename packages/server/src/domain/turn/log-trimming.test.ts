// Trimming a log: where it is cut, the snapshot that replaces the rest, and the records after a number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEnd, sampleOutcome, sampleStart } from '#fixtures/turns/samples.ts'
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from './log-trimming.ts'
import type { LogRecordBody } from './log-records.ts'

type Entry = LogRecordBody & { readonly seq: number; readonly epoch: number }
const WIDE = { recordsMax: 8, bytesMax: 1_000_000 }
const start: Entry = { seq: 0, epoch: 1, kind: 'start', start: sampleStart() }
const text = (seq: number, written = String(seq % 10), epoch = 1): Entry => ({
  seq,
  epoch,
  kind: 'text',
  offset: seq - 1,
  text: written,
})
const logOf = (count: number): readonly Entry[] => [
  start,
  ...Array.from({ length: count }, (_, index) => text(index + 1)),
]
const trimmed = (records: readonly Entry[], bounds = WIDE): readonly Entry[] => {
  const snapshot = snapshotFor(records, bounds)
  assert.ok(snapshot)
  return withSnapshot(records, snapshot)
}
const seqsOf = (records: readonly Entry[]) => records.map(({ seq }) => seq)

test('half of the records that the bounds allow are kept', () => {
  assert.deepEqual(seqsOf(trimmed(logOf(9))), [0, 5, 6, 7, 8, 9])
  assert.deepEqual(seqsOf(trimmed(logOf(30))), [0, 26, 27, 28, 29, 30])
})

test('half of the bytes that the bounds allow are kept, even if that is no record', () => {
  const bytesMax = 2 * recordBytes(text(1)) * 3
  assert.deepEqual(seqsOf(trimmed(logOf(7), { recordsMax: 100, bytesMax })), [0, 4, 5, 6, 7])
  assert.deepEqual(seqsOf(trimmed([...logOf(3), text(4, 'x'.repeat(bytesMax))], { recordsMax: 100, bytesMax })), [0, 4])
})

test('a snapshot has the number and the epoch of the last record that it replaces', () => {
  const snapshot = snapshotFor([...logOf(3), text(4, '4', 2), ...[5, 6, 7, 8].map((seq) => text(seq, 'x', 3))], WIDE)
  assert.deepEqual(snapshot, { seq: 4, epoch: 2, kind: 'snapshot', snapshot: { text: '1234', attempts: [] } })
})

test('a new snapshot includes the previous one', () => {
  const again = trimmed([...trimmed(logOf(9)), ...[10, 11, 12].map((seq) => text(seq))])
  assert.deepEqual(seqsOf(again), [0, 8, 9, 10, 11, 12])
  assert.deepEqual(again[1], { seq: 8, epoch: 1, kind: 'snapshot', snapshot: { text: '12345678', attempts: [] } })
})

test('the cut is before the end of the text, and a log with nothing before that is not trimmed', () => {
  const textEnd: Entry = { seq: 3, epoch: 1, kind: 'text-end', outcome: sampleOutcome() }
  const turnEnd: Entry = { seq: 20, epoch: 1, kind: 'turn-end', end: sampleEnd() }
  const flood = Array.from({ length: 16 }, (_, index) => text(index + 4))
  const once = trimmed([...logOf(2), textEnd, ...flood, turnEnd])
  assert.deepEqual(seqsOf(once), [0, 2, 3, ...seqsOf(flood), 20])
  assert.equal(snapshotFor(once, WIDE), undefined)
  assert.equal(snapshotFor([start, { ...textEnd, seq: 1 }], WIDE), undefined)
  assert.equal(snapshotFor([start], WIDE), undefined)
})

test('the records after a number are those that follow it, or the snapshot that replaces some of them', () => {
  const whole = logOf(9)
  for (let seq = -1; seq < 12; seq += 1) assert.deepEqual(recordsAfter(whole, seq), whole.slice(seq + 1))
  const records = trimmed(whole)
  assert.deepEqual(recordsAfter(records, -1), records)
  for (const seq of [0, 3, 4]) assert.deepEqual(recordsAfter(records, seq), records.slice(1))
  for (const [seq, place] of [
    [5, 2],
    [8, 5],
    [9, 6],
    [12, 6],
  ] as const)
    assert.deepEqual(recordsAfter(records, seq), records.slice(place))
})
