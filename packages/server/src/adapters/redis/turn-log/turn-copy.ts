// A turn in this node's memory: its records as the shared log has them (or will have them), and who reads them here.
// Readers pull: each keeps only the number of the last record it was given, so a slow one costs nothing. Past its bounds
// a copy is trimmed as the shared log is. Used for turns that run here and for turns that are read here.
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from '#domain/turn/log-trimming.ts'
import type { TurnStart } from '#domain/turn/turn-record.ts'
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
  /** The start, perhaps a snapshot, and then one `seq` after another. */
  #records: LogRecord[]
  #kept: Size
  #weighed: { readonly records: readonly LogRecord[]; readonly bytes: number } | undefined
  #readers = 0
  /** Raised to send its readers away. */
  #sitting = 0
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

  /** The first `seq` after the start that is held. */
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

  /** The whole log with these at its end, if it has to be trimmed then. */
  trimmedWith(records: readonly LogRecord[]): readonly LogRecord[] | undefined {
    const kept = this.#keptWith(records)
    if (kept.records <= this.#bounds.recordsMax && kept.bytes <= this.#bounds.bytesMax) return undefined
    const whole = [...this.#records, ...records]
    const snapshot = snapshotFor(whole, this.#bounds)
    return snapshot === undefined ? undefined : withSnapshot(whole, snapshot)
  }

  /** Adds what follows; what it has already is passed over. False when something before it is missing. */
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

  /** Sends its readers away, with the error if there is one; else they look for the turn anew. */
  dismiss(error?: Error): void {
    this.#sitting += 1
    this.#error = error
    this.#bell.ring()
  }

  /** Until the turn's end, the signal, or `dismiss`. */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    using _ = this.#bell.ringOnAbort(signal)
    const sitting = this.#sitting
    let lastSeq = afterSeq
    while (!signal.aborted) {
      if (this.#error !== undefined) throw this.#error
      const batch = this.after(lastSeq)
      const last = batch.at(-1)
      if (last !== undefined) {
        lastSeq = last.seq
        yield batch
      } else if (this.isEnded || this.#sitting !== sitting) {
        return
      } else {
        await this.#bell.nextRing()
      }
    }
  }

  /** A reader has come; answers how it goes: true when it was the last. */
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

  /** Asked of the same records when they are sent and when they are added: weighed once. */
  #keptWith(records: readonly LogRecord[]): Size {
    if (this.#weighed?.records !== records) this.#weighed = { records, bytes: bytesOf(records) }
    const { bytes } = this.#weighed
    return { records: this.#kept.records + records.length, bytes: this.#kept.bytes + bytes }
  }
}

/** What follows the start and the snapshot: it is what the bounds are for. */
function keptOf(records: readonly LogRecord[]): Size {
  const kept = records.filter(({ kind }) => kind !== 'start' && kind !== 'snapshot')
  return { records: kept.length, bytes: bytesOf(kept) }
}

function bytesOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, record) => sum + recordBytes(record), 0)
}
