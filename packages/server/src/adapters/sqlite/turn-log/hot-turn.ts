// An open turn in memory. Only this process writes, so this object decides who owns the turn and which number the next
// record gets; a group of writes that fails is rolled back here as in the file. Readers see only stored records: they pull,
// and each remembers only the number of its last record, so a slow reader costs nothing.
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { Attendance } from '#lib/async/attendance.ts'
import { Bell } from '#lib/async/bell.ts'
import type { LogRecord } from '#ports/turn-log/port.ts'
import type { KeptRecords } from './kept-records.ts'

/** The records of one append. */
export interface Batch {
  readonly records: readonly LogRecord[]
  /** The bytes that the records count against the log's bounds. */
  readonly bytes: number
}

export interface HotTurnParts {
  readonly turnId: string
  readonly kept: KeptRecords
  readonly attendance: Attendance
  readonly epoch: number
  readonly leasedUntil: number
  readonly tailFrom: number
  readonly isStopRequested: boolean
}

/** The changes of the group in flight. */
interface Ahead {
  readonly batches: Batch[]
  epoch: number
  tailFrom: number
  isEnded: boolean
}

export class HotTurn {
  readonly turnId: string
  readonly #kept: KeptRecords
  readonly #attendance: Attendance
  readonly #bell = new Bell()
  readonly #stopListeners = new Set<() => void>()
  #epoch: number
  #leasedUntil: number
  #tailFrom: number
  #isStopRequested: boolean
  #isEnded = false
  #ahead: Ahead | undefined

  constructor({ attendance, epoch, isStopRequested, kept, leasedUntil, tailFrom, turnId }: HotTurnParts) {
    this.turnId = turnId
    this.#kept = kept
    this.#attendance = attendance
    this.#epoch = epoch
    this.#leasedUntil = leasedUntil
    this.#tailFrom = tailFrom
    this.#isStopRequested = isStopRequested
  }

  /** Undefined until the opening is on the disk: until then the turn does not exist for others. */
  get start(): TurnStart | undefined {
    return this.#kept.start
  }

  get epoch(): number {
    return this.#ahead?.epoch ?? this.#epoch
  }

  get leasedUntil(): number {
    return this.#leasedUntil
  }

  /** The number of the tail's first row that belongs to this log. */
  get tailFrom(): number {
    return this.#ahead?.tailFrom ?? this.#tailFrom
  }

  get isEnded(): boolean {
    return this.#ahead?.isEnded ?? this.#isEnded
  }

  get nextSeq(): number {
    return (this.#ahead?.batches.at(-1)?.records.at(-1)?.seq ?? this.#kept.lastSeq) + 1
  }

  /** How long the turn has had no reader. */
  get unattendedMs(): number {
    return this.#attendance.emptyMs()
  }

  isOwnedBy(epoch: number): boolean {
    return epoch === this.epoch && !this.isEnded
  }

  renew(leasedUntil: number): void {
    this.#leasedUntil = leasedUntil
  }

  /** The log including the records of the group in flight. */
  whole(): KeptRecords {
    const whole = this.#kept.copy()
    for (const batch of this.#ahead?.batches ?? []) whole.add(batch)
    return whole
  }

  /** This and the next methods change the turn for the group in flight, until `keep` or `undo`. */
  add(batch: Batch): void {
    const ahead = this.#getAhead()
    if (batch.records.length > 0) ahead.batches.push(batch)
    if (batch.records.some(({ kind }) => kind === 'turn-end')) ahead.isEnded = true
  }

  takeOver(leasedUntil: number): void {
    this.#getAhead().epoch += 1
    this.#leasedUntil = leasedUntil
  }

  rewritten(tailFrom: number): void {
    this.#getAhead().tailFrom = tailFrom
  }

  /** The group is in the file: readers get its records. */
  keep(): void {
    const ahead = this.#ahead
    if (ahead === undefined) return
    this.#ahead = undefined
    for (const batch of ahead.batches) this.#kept.add(batch)
    this.#epoch = ahead.epoch
    this.#tailFrom = ahead.tailFrom
    this.#isEnded = ahead.isEnded
    this.#bell.ring()
  }

  /** The group failed, and nothing of it is in the file. */
  undo(): void {
    // The takeover failed with its group, and the previous owner had let its lease lapse.
    if (this.epoch !== this.#epoch) this.#leasedUntil = 0
    this.#ahead = undefined
  }

  after(seq: number): readonly LogRecord[] {
    return this.#kept.after(seq)
  }

  /** Makes the readers that wait check whether they may. */
  wake(): void {
    this.#bell.ring()
  }

  /** Before each wait for the next records it calls `mayWait`, whose error ends it. */
  async *follow(
    afterSeq: number,
    signal: AbortSignal,
    mayWait: () => void = () => {},
  ): AsyncGenerator<readonly LogRecord[]> {
    using _attendance = this.#attendance.attend(signal)
    using _bell = this.#bell.ringOnAbort(signal)
    let lastSeq = afterSeq
    while (!signal.aborted) {
      const batch = this.after(lastSeq)
      if (batch.length > 0) {
        lastSeq = batch.at(-1)?.seq ?? lastSeq
        yield batch
      } else if (this.#isEnded) {
        return
      } else {
        mayWait()
        await this.#bell.nextRing()
      }
    }
  }

  stop(): void {
    this.#isStopRequested = true
    for (const listener of this.#stopListeners) listener()
  }

  onStop(listener: () => void): Disposable {
    // A function of its own, so that a listener registered twice counts as two registrations.
    const once = () => {
      if (this.#stopListeners.delete(once)) listener()
    }
    this.#stopListeners.add(once)
    // After this call returns, because the listener may use the value it is assigned to.
    if (this.#isStopRequested) queueMicrotask(once)
    return { [Symbol.dispose]: () => void this.#stopListeners.delete(once) }
  }

  #getAhead(): Ahead {
    this.#ahead ??= { batches: [], epoch: this.#epoch, tailFrom: this.#tailFrom, isEnded: this.#isEnded }
    return this.#ahead
  }
}
