// A turn in this node's memory: its records as the shared log has them (or will have them), and its readers here. Readers
// pull: each remembers only the number of its last record, so a slow one costs nothing. Beyond the bounds a copy is trimmed
// like the shared log. Used for turns that run here and for turns that are read here.
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from '#domain/turn/log-trimming.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { Bell } from '#lib/async/bell.ts'
import type { LogBounds, LogRecord } from '#ports/turn-log/port.ts'

interface Size {
  readonly records: number
  readonly bytes: number
}

export class TurnCopy {
  readonly start: TurnStart
  readonly #bounds: LogBounds
  readonly #bell = new Bell()
  /** The start, perhaps a snapshot, then consecutive records. */
  #records: LogRecord[]
  #kept: Size
  #weighed: { readonly records: readonly LogRecord[]; readonly bytes: number } | undefined
  #readers = 0
  /** Incremented to end all reads of this copy. */
  #generation = 0
  #error: Error | undefined

  constructor(records: readonly LogRecord[], bounds: LogBounds) {
    const first = records[0]
    if (first?.kind !== 'start') throw new Error('a log begins with its start')
    this.start = first.start
    this.#bounds = bounds
    this.#records = [...records]
    this.#kept = keptOf(records)
  }

  get lastSeq(): number {
    return this.#records.at(-1)?.seq ?? 0
  }

  /** The first `seq` after the start that the copy has. */
  get base(): number {
    return this.#records[1]?.seq ?? 1
  }

  get isEnded(): boolean {
    return this.#records.at(-1)?.kind === 'turn-end'
  }

  get readers(): number {
    return this.#readers
  }

  after(seq: number): readonly LogRecord[] {
    return recordsAfter(this.#records, seq)
  }

  /** The whole trimmed log including these records; undefined when no trimming is needed. */
  trimmedWith(records: readonly LogRecord[]): readonly LogRecord[] | undefined {
    const kept = this.#keptWith(records)
    if (kept.records <= this.#bounds.recordsMax && kept.bytes <= this.#bounds.bytesMax) return undefined
    const whole = [...this.#records, ...records]
    const snapshot = snapshotFor(whole, this.#bounds)
    return snapshot === undefined ? undefined : withSnapshot(whole, snapshot)
  }

  /** Adds the records that follow, and skips known ones. False when a record before them is missing. */
  add(records: readonly LogRecord[]): boolean {
    const { lastSeq } = this
    const isNew = (records[0]?.seq ?? 0) > lastSeq
    const news = isNew ? records : records.filter(({ seq }) => seq > lastSeq)
    const first = news[0]
    if (first === undefined) return true
    if (first.kind === 'snapshot') {
      this.#hold([...this.#records.slice(0, 1), ...news])
    } else if (first.seq === lastSeq + 1) {
      const short = this.trimmedWith(news)
      if (short !== undefined) this.#hold(short)
      else this.#push(news)
    } else {
      return false
    }
    this.#bell.ring()
    return true
  }

  /** Ends all reads of this copy: with the error if there is one, else the readers look the turn up again. */
  dismiss(error?: Error): void {
    this.#generation += 1
    this.#error = error
    this.#bell.ring()
  }

  /** Yields records until the turn's end, the signal, or `dismiss`. */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    using _ = this.#bell.ringOnAbort(signal)
    const generation = this.#generation
    let lastSeq = afterSeq
    while (!signal.aborted) {
      if (this.#error !== undefined) throw this.#error
      const batch = this.after(lastSeq)
      const last = batch.at(-1)
      if (last !== undefined) {
        lastSeq = last.seq
        yield batch
      } else if (this.isEnded || this.#generation !== generation) {
        return
      } else {
        await this.#bell.nextRing()
      }
    }
  }

  /** Registers a reader; returns how it leaves: true when it was the last. */
  enter(): () => boolean {
    this.#readers += 1
    return () => {
      this.#readers -= 1
      return this.#readers === 0
    }
  }

  #hold(records: readonly LogRecord[]): void {
    this.#records = [...records]
    this.#kept = keptOf(records)
  }

  #push(records: readonly LogRecord[]): void {
    this.#kept = this.#keptWith(records)
    this.#records.push(...records)
  }

  /** Called with the same records when they are sent and when they are added: measured once. */
  #keptWith(records: readonly LogRecord[]): Size {
    if (this.#weighed?.records !== records) this.#weighed = { records, bytes: bytesOf(records) }
    const { bytes } = this.#weighed
    return { records: this.#kept.records + records.length, bytes: this.#kept.bytes + bytes }
  }
}

/** The size of the records after the start and the snapshot, which the bounds limit. */
function keptOf(records: readonly LogRecord[]): Size {
  const kept = records.filter(({ kind }) => kind !== 'start' && kind !== 'snapshot')
  return { records: kept.length, bytes: bytesOf(kept) }
}

function bytesOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, record) => sum + recordBytes(record), 0)
}
