// How a turn's log is trimmed: the oldest records between its start and its newest ones give way to one snapshot, so
// that a log is its start, perhaps a snapshot, and records numbered without a gap. Every turn log trims by these rules.
import type { Bounds } from './log-bounds.ts'
import type { TurnSnapshot } from './turn-record.ts'
import { snapshotOf } from './turn-state.ts'
import type { LogRecordBody } from './turn-record.ts'

interface Numbered {
  readonly seq: number
  readonly epoch: number
}

/** Stands for the records after the start up to the one whose number it has. */
export interface SnapshotRecord extends Numbered {
  readonly kind: 'snapshot'
  readonly snapshot: TurnSnapshot
}

/** A trim leaves half of what the bounds allow: the next is then half a log away, and costs little per record. */
const KEPT_SHARE = 0.5

/** What a record counts against `bytesMax`: its JSON, without the number that only the log can give it. */
export function recordBytes({ seq: _, ...unnumbered }: Numbered): number {
  return Buffer.byteLength(JSON.stringify(unnumbered))
}

/** The snapshot that a log past its bounds is to be given; undefined when it holds nothing to trim. */
export function snapshotFor(
  records: readonly (LogRecordBody & Numbered)[],
  bounds: Bounds,
): SnapshotRecord | undefined {
  const cut = Math.min(firstKept(records, bounds), firstEnd(records))
  const last = records[cut - 1]
  if (last === undefined || last.kind === 'start' || last.kind === 'snapshot') return undefined
  return { seq: last.seq, epoch: last.epoch, kind: 'snapshot', snapshot: snapshotOf(records.slice(0, cut)) }
}

/** The log with its snapshot in place of what it stands for. */
export function withSnapshot<Entry extends Numbered>(
  records: readonly Entry[],
  snapshot: SnapshotRecord,
): readonly (Entry | SnapshotRecord)[] {
  return [...records.slice(0, 1), snapshot, ...records.slice(indexAfter(records, snapshot.seq))]
}

/** The records after `seq`; of those that were trimmed, the snapshot. */
export function recordsAfter<Entry extends Numbered>(records: readonly Entry[], seq: number): readonly Entry[] {
  return records.slice(indexAfter(records, seq))
}

/** Counted from the end, where no number is missing. */
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

/** What ends the text or the turn is looked for by itself, so it stays. */
function firstEnd(records: readonly LogRecordBody[]): number {
  const index = records.findIndex(({ kind }) => kind === 'text-end' || kind === 'turn-end')
  return index === -1 ? records.length : index
}
