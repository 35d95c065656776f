// Trims a turn's log: one snapshot replaces the oldest records after the start, so that a log is its start, possibly a snapshot,
// and records numbered without gaps. Every turn log trims by these rules.
import type { Bounds } from './log-bounds.ts'
import type { TurnSnapshot } from './log-records.ts'
import { snapshotOf } from './turn-state.ts'
import type { LogRecordBody } from './log-records.ts'

interface Numbered {
  readonly seq: number
  readonly epoch: number
}

/** Replaces the records after the start up to the one whose `seq` it has. */
export interface SnapshotRecord extends Numbered {
  readonly kind: 'snapshot'
  readonly snapshot: TurnSnapshot
}

/** A trim leaves this share of the bounds, so that the next trim is half a log later and the cost per record is small. */
const KEPT_SHARE = 0.5

/** The size of a record for `bytesMax`: its JSON without `seq`, which the log assigns. */
export function recordBytes({ seq: _, ...unnumbered }: Numbered): number {
  return Buffer.byteLength(JSON.stringify(unnumbered))
}

/** The snapshot for a log past its bounds; undefined when there is nothing to trim. */
export function snapshotFor(
  records: readonly (LogRecordBody & Numbered)[],
  bounds: Bounds,
): SnapshotRecord | undefined {
  const cut = Math.min(firstKept(records, bounds), firstEnd(records))
  const last = records[cut - 1]
  if (last === undefined || last.kind === 'start' || last.kind === 'snapshot') return undefined
  return { seq: last.seq, epoch: last.epoch, kind: 'snapshot', snapshot: snapshotOf(records.slice(0, cut)) }
}

/** The log with the snapshot in place of the records that it replaces. */
export function withSnapshot<Entry extends Numbered>(
  records: readonly Entry[],
  snapshot: SnapshotRecord,
): readonly (Entry | SnapshotRecord)[] {
  return [...records.slice(0, 1), snapshot, ...records.slice(indexAfter(records, snapshot.seq))]
}

/** The records after `seq`; if some of them were trimmed, the snapshot first. */
export function recordsAfter<Entry extends Numbered>(records: readonly Entry[], seq: number): readonly Entry[] {
  return records.slice(indexAfter(records, seq))
}

/** Counts from the end, because there the numbers have no gaps. */
function indexAfter(records: readonly Numbered[], seq: number): number {
  const lastSeq = records.at(-1)?.seq ?? -1
  return Math.max(records.length - (lastSeq - seq), seq < 0 ? 0 : 1)
}

function firstKept(records: readonly Numbered[], { recordsMax, bytesMax }: Bounds): number {
  const oldest = Math.max(1, records.length - Math.floor(recordsMax * KEPT_SHARE))
  let bytesLeft = bytesMax * KEPT_SHARE
  const tooMuch = records.findLastIndex((record) => (bytesLeft -= recordBytes(record)) < 0)
  return Math.max(oldest, tooMuch + 1)
}

/** The index of the first record that ends the text or the turn. These are read individually, so they are never trimmed. */
function firstEnd(records: readonly LogRecordBody[]): number {
  const index = records.findIndex(({ kind }) => kind === 'text-end' || kind === 'turn-end')
  return index === -1 ? records.length : index
}
