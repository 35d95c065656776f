// The records of a turn's log, trimmed after every batch that takes them past their bounds: given the same batches they
// come out the same, so the file need not say where it was trimmed. Used by turns in memory and when they are loaded.
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from '#domain/turn/log-trimming.ts'
import type { TurnStart } from '#domain/turn/turn-record.ts'
import type { LogBounds, LogRecord } from '#ports/turn-log/port.ts'

export class KeptRecords {
  readonly #bounds: LogBounds
  #records: LogRecord[]
  #bytes: number

  /** `bytes` is given when it is known. */
  constructor(bounds: LogBounds, records: readonly LogRecord[] = [], bytes = boundedBytes(records)) {
    this.#bounds = bounds
    this.#records = [...records]
    this.#bytes = bytes
  }

  get all(): readonly LogRecord[] {
    return this.#records
  }

  get start(): TurnStart | undefined {
    return startOf(this.#records)
  }

  get lastSeq(): number {
    return this.#records.at(-1)?.seq ?? -1
  }

  after(seq: number): readonly LogRecord[] {
    return recordsAfter(this.#records, seq)
  }

  copy(): KeptRecords {
    return new KeptRecords(this.#bounds, this.#records, this.#bytes)
  }

  /** `bytes` is their `boundedBytes`. */
  add({ records, bytes }: { readonly records: readonly LogRecord[]; readonly bytes: number }): void {
    for (const record of records) this.#records.push(record)
    this.#bytes += bytes
    if (this.#count > this.#bounds.recordsMax || this.#bytes > this.#bounds.bytesMax) this.#trim()
  }

  #trim(): void {
    const snapshot = snapshotFor(this.#records, this.#bounds)
    if (snapshot === undefined) return
    this.#records = [...withSnapshot(this.#records, snapshot)]
    this.#bytes = boundedBytes(this.#records)
  }

  get #count(): number {
    return this.#records.length - (this.#records[1]?.kind === 'snapshot' ? 2 : 1)
  }
}

export function startOf([first]: readonly LogRecord[]): TurnStart | undefined {
  return first?.kind === 'start' ? first.start : undefined
}

/** What the records count against a log's bounds: neither the start nor the snapshot can be made less. */
export function boundedBytes(records: readonly LogRecord[]): number {
  const bounded = records.filter(({ kind }) => kind !== 'start' && kind !== 'snapshot')
  return bounded.reduce((sum, record) => sum + recordBytes(record), 0)
}
