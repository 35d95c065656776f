// An open turn in memory: its committed records, those who follow it and those who wait for a wish to stop.
// Followers pull: each keeps only the number of the last record it was given, so a slow one costs nothing.
import { recordsAfter, withSnapshot } from '#domain/log-trimming.ts'
import type { SnapshotRecord } from '#domain/log-trimming.ts'
import type { TurnStart } from '#domain/turn-record.ts'
import type { Attendance } from '#lib/attendance.ts'
import { Bell } from '#lib/bell.ts'
import type { LogRecord } from '#ports/turn-log.ts'

export class HotTurn {
  readonly #attendance: Attendance
  readonly #bell = new Bell()
  readonly #stopListeners = new Set<() => void>()
  #records: LogRecord[]
  #isStopWished: boolean
  #isEnded = false

  constructor(records: readonly LogRecord[], isStopWished: boolean, attendance: Attendance) {
    this.#records = [...records]
    this.#isStopWished = isStopWished
    this.#attendance = attendance
  }

  get start(): TurnStart | undefined {
    const first = this.#records[0]
    return first?.kind === 'start' ? first.start : undefined
  }

  /** How long nobody has followed it. */
  get unattendedMs(): number {
    return this.#attendance.emptyMs()
  }

  /**
   * Adds what was committed, and trims as the file was trimmed. Records that were already loaded from the file come
   * again, and are passed over.
   */
  add(records: readonly LogRecord[], snapshot: SnapshotRecord | undefined): void {
    for (const record of records) {
      if (record.seq === lastSeqOf(this.#records) + 1) this.#records.push(record)
      if (record.kind === 'turn-end') this.#isEnded = true
    }
    if (snapshot !== undefined && snapshot.seq > this.#trimmedTo) {
      this.#records = [...withSnapshot(this.#records, snapshot)]
    }
    this.#bell.ring()
  }

  after(seq: number): readonly LogRecord[] {
    return recordsAfter(this.#records, seq)
  }

  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    using _ = this.#attendance.attend(signal)
    let lastSeq = afterSeq
    while (!signal.aborted) {
      const batch = this.after(lastSeq)
      if (batch.length > 0) {
        lastSeq = lastSeqOf(batch)
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
  get #trimmedTo(): number {
    const second = this.#records[1]
    return second?.kind === 'snapshot' ? second.seq : 0
  }
}

function lastSeqOf(records: readonly LogRecord[]): number {
  return records.at(-1)?.seq ?? -1
}
