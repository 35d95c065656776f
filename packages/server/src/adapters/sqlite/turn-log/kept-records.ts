// The records of a turn's log, trimmed after each batch that exceeds the bounds. Trimming depends only on the batches, so
// the file need not store where a log was trimmed. Used by open turns and when turns are loaded.
import { recordBytes, recordsAfter, snapshotFor, withSnapshot } from '#domain/turn/log-trimming.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { LogBounds, LogRecord } from '#ports/turn-log/port.ts'

export class KeptRecords {
  readonly #bounds: LogBounds
  #records: LogRecord[]
  #bytes: number

  /** Pass `bytes` when they are known already. */
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

  /** `bytes` is the `boundedBytes` of the records. */
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

/** The bytes that count against a log's bounds; the start and the snapshot cannot be trimmed and do not count. */
export function boundedBytes(records: readonly LogRecord[]): number {
  const bounded = records.filter(({ kind }) => kind !== 'start' && kind !== 'snapshot')
  return bounded.reduce((sum, record) => sum + recordBytes(record), 0)
}
