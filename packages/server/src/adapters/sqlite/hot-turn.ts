// An open turn in memory: its committed records, those who follow it and those who wait for a wish to stop.
// Followers pull: each keeps only the number of the last record it was given, so a slow one costs nothing.
import { Bell } from '#lib/bell.ts'
import type { LogRecord } from '#ports/turn-log.ts'

export class HotTurn {
  /** A record's `seq` is its place here. */
  readonly #records: LogRecord[]
  readonly #bell = new Bell()
  readonly #stopListeners = new Set<() => void>()
  #isStopWished: boolean
  #isEnded = false

  constructor(records: readonly LogRecord[], isStopWished: boolean) {
    this.#records = [...records]
    this.#isStopWished = isStopWished
  }

  /** Adds what was committed. Records that were already loaded from the file come again, and are passed over. */
  add(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.seq === this.#records.length) this.#records.push(record)
      if (record.kind === 'turn-end') this.#isEnded = true
    }
    this.#bell.ring()
  }

  after(seq: number): readonly LogRecord[] {
    return this.#records.slice(seq + 1)
  }

  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    let lastSeq = afterSeq
    while (!signal.aborted) {
      const batch = this.after(lastSeq)
      if (batch.length > 0) {
        lastSeq += batch.length
        yield batch
      } else if (this.#isEnded) {
        return
      } else {
        await this.#bell.heard(signal)
      }
    }
  }

  stop(): void {
    this.#isStopWished = true
    for (const tell of this.#stopListeners) tell()
  }

  onStop(listener: () => void): Disposable {
    // Its own function, so that one listener registered twice is two registrations.
    const once = () => {
      if (this.#stopListeners.delete(once)) listener()
    }
    this.#stopListeners.add(once)
    // Not before this call returned: the listener may use what it is assigned to.
    if (this.#isStopWished) queueMicrotask(once)
    return { [Symbol.dispose]: () => void this.#stopListeners.delete(once) }
  }
}
