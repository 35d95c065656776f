// Turn records, written behind the turn: what a node records or notes waits here for half a second and is written in batches.
// Nothing on a turn's path waits for the store. Bounded: past the limit the oldest is dropped and counted. A read on this
// node includes what waits.
import { withFeedback, withNoted } from '#domain/turn-records/reception.ts'
import { idOf, isTurn, matchesRecords } from '#domain/turn-records/records-filter.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLines } from '#ports/telemetry/turn-lines.ts'
import type { Feedback, Noted, RecordsOf, StoredRecord, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import type { ReaderCounts } from './reader-counts.ts'

export interface TurnRecorderParts {
  readonly records: TurnRecords
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** The log lines of turns; absent: records have none. */
  readonly lines?: TurnLines | undefined
  /** The readers of turns on this node; absent: records have none. */
  readonly readers?: Pick<ReaderCounts, 'take'> | undefined
}

/** The port, with what waits on this node. `note` never rejects, and does not wait for the store. */
export interface TurnRecorder extends TurnRecords {
  /** Records an ended turn, or a refusal. A repeat changes nothing. */
  put(record: StoredRecord): void
  /** Writes what waits, unless the store was unavailable a moment ago. Never rejects. */
  flush(): Promise<void>
  /** Writes what waits, and nothing after that. Never rejects. */
  close(): Promise<void>
}

const WRITE_AFTER_MS = 500
const BATCH_MAX = 200
const WAITING_MAX = 5000
/** About two minutes of an unavailable store. */
const TRIES_MAX = 10
const PAUSE_MAX_MS = 30_000

export function createTurnRecorder(parts: TurnRecorderParts): TurnRecorder {
  const { records } = parts
  const queue = new WriteQueue(parts)

  return {
    add: records.add,
    unitOf: records.unitOf,
    sweep: records.sweep,
    put: (record) => queue.put(record),
    flush: () => queue.flush(),
    close: () => queue.close(),
    async find(turnId) {
      const waiting = queue.get(turnId)
      const record = turnIn(waiting) ?? (await records.find(turnId))
      return record === undefined || waiting === undefined ? record : withAdded(record, waiting)
    },
    async page(...asked) {
      await queue.flush()
      return records.page(...asked)
    },
    async list(...asked) {
      await queue.flush()
      return records.list(...asked)
    },
    async *all(filter) {
      await queue.flush()
      yield* records.all(filter)
    },
    async setFeedback(turnId, feedback) {
      const waiting = queue.get(turnId)
      if (waiting === undefined || turnIn(waiting) === undefined) return records.setFeedback(turnId, feedback)
      waiting.feedback = feedback
      // A reader who set a thumb expects it to stay.
      await queue.flush()
      return true
    },
    note: async (turnId, noted) => queue.note(turnId, noted),
    async adopt(guestId, userId) {
      // The store asks whether the user has records of their own, so it gets the user's first, and the guest's as the guest's.
      await queue.flush()
      await records.adopt(guestId, userId)
      // Records of the guest that came meanwhile.
      queue.rename(guestId, userId)
      await queue.written()
      await records.adopt(guestId, userId)
    },
    async forget(of) {
      const waited = queue.forget(of)
      await queue.written()
      return waited + (await records.forget(of))
    },
  }
}

/** What waits for one turn: its record, what was added to it since it was sent, or both. */
interface Waiting {
  record?: StoredRecord
  /** The store may have the record already: what is added to it is sent after it. */
  wasSent: boolean
  noted: Noted
  /** Null takes a thumb back. */
  feedback?: Feedback | null | undefined
  tries: number
}

class WriteQueue {
  readonly #parts: TurnRecorderParts
  /** By turn, oldest first. */
  readonly #entries = new Map<string, Waiting>()
  #writing: Promise<void> | undefined
  #timer: Disposable | undefined
  #failures = 0
  #isClosed = false

  constructor(parts: TurnRecorderParts) {
    this.#parts = parts
  }

  get(turnId: string): Waiting | undefined {
    return this.#entries.get(turnId)
  }

  put(record: StoredRecord): void {
    const entry = this.#entryOf(idOf(record))
    if (entry !== undefined) entry.record ??= record
  }

  note(turnId: string, noted: Noted): void {
    const entry = this.#entryOf(turnId)
    if (entry !== undefined) entry.noted = withNoted(entry.noted, noted)
  }

  rename(principalId: string, renamed: string): void {
    for (const entry of this.#entries.values())
      if (entry.record?.principalId === principalId) entry.record = { ...entry.record, principalId: renamed }
  }

  /** Returns how many records waited that no batch has sent yet. */
  forget(of: RecordsOf): number {
    let unsent = 0
    for (const [turnId, { record, wasSent }] of this.#entries) {
      if (record === undefined || !matchesRecords(record, of)) continue
      this.#entries.delete(turnId)
      if (!wasSent) unsent += 1
    }
    return unsent
  }

  /** Waits for the batch that is being written. */
  async written(): Promise<void> {
    await this.#writing
  }

  async flush(): Promise<void> {
    await this.#writing
    if (this.#failures === 0) await this.#write()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    await this.#write()
    this.#timer?.[Symbol.dispose]()
    this.#drop([...this.#entries.keys()], 'failed')
  }

  #entryOf(turnId: string): Waiting | undefined {
    const known = this.#entries.get(turnId)
    if (known !== undefined) return known
    if (this.#isClosed) {
      this.#drop([turnId], 'failed')
      return undefined
    }
    const entry: Waiting = { wasSent: false, noted: {}, tries: 0 }
    this.#entries.set(turnId, entry)
    if (this.#entries.size > WAITING_MAX) this.#drop([...this.#entries.keys().take(1)], 'full')
    if (this.#entries.size >= BATCH_MAX && this.#failures === 0) void this.#write()
    else this.#arm()
    return entry
  }

  #drop(turnIds: readonly string[], reason: 'full' | 'failed'): void {
    for (const turnId of turnIds) {
      this.#entries.delete(turnId)
      this.#parts.telemetry.count('turn_records_dropped_total', { reason })
    }
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isClosed || this.#entries.size === 0) return
    const ms = Math.min(PAUSE_MAX_MS, WRITE_AFTER_MS * 2 ** this.#failures)
    this.#timer = this.#parts.clock.after(ms, () => {
      this.#timer = undefined
      void this.#write()
    })
  }

  /** One write at a time. Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      this.#arm()
    })
    return this.#writing
  }

  /** Writes what waits now, and leaves the rest for the next time. */
  async #writeAll(): Promise<void> {
    // Not in the call that added an entry, which is complete only after it.
    await Promise.resolve()
    for (let left = this.#entries.size; left > 0; left -= BATCH_MAX) {
      const batch = [...this.#entries].slice(0, BATCH_MAX)
      try {
        await this.#send(batch)
        this.#failures = 0
      } catch (error) {
        return this.#failed(batch, error)
      }
    }
  }

  async #send(batch: readonly (readonly [string, Waiting])[]): Promise<void> {
    const added = batch.flatMap(([, entry]) => {
      if (entry.record === undefined) return []
      if (!entry.wasSent) Object.assign(entry, { record: this.#whole(entry.record, entry), ...NOTHING_ADDED })
      entry.wasSent = true
      return [entry.record]
    })
    if (added.length > 0) await this.#parts.records.add(added)
    await Promise.all(batch.map(([turnId, entry]) => this.#sendAdded(turnId, entry)))
  }

  /**
   * With what was added while it waited, its log lines and its readers. Taken here, the lines of the settlement are among them, and most
   * readers have the end.
   */
  #whole(record: StoredRecord, entry: Waiting): StoredRecord {
    if (!isTurn(record)) return record
    const { lines, readers } = this.#parts
    return { ...withAdded(record, entry), ...readers?.take(record.turnId), ...lines?.take(record) }
  }

  async #sendAdded(turnId: string, entry: Waiting): Promise<void> {
    const { records } = this.#parts
    while (this.#entries.get(turnId) === entry) {
      const { feedback, noted } = entry
      Object.assign(entry, NOTHING_ADDED)
      const isNoted = Object.keys(noted).length > 0
      if (!isNoted && feedback === undefined) return void this.#entries.delete(turnId)
      try {
        if (isNoted) await records.note(turnId, noted)
        if (feedback !== undefined) await records.setFeedback(turnId, feedback)
      } catch (error) {
        entry.noted = withNoted(noted, entry.noted)
        if (entry.feedback === undefined) entry.feedback = feedback
        throw error
      }
    }
  }

  #failed(batch: readonly (readonly [string, Waiting])[], error: unknown): void {
    const { telemetry } = this.#parts
    this.#failures += 1
    if (this.#failures === 1) telemetry.log('warn', 'turn-records.write-failed', { waiting: this.#entries.size }, error)
    for (const [turnId, entry] of batch) {
      entry.tries += 1
      if (entry.tries >= TRIES_MAX && this.#entries.get(turnId) === entry) this.#drop([turnId], 'failed')
    }
  }
}

const NOTHING_ADDED = { noted: {}, feedback: undefined }

function turnIn(waiting: Waiting | undefined): TurnRecord | undefined {
  return waiting?.record !== undefined && isTurn(waiting.record) ? waiting.record : undefined
}

function withAdded<Stored extends StoredRecord>(record: Stored, { feedback, noted }: Waiting): Stored {
  if (!isTurn(record)) return record
  const received = withNoted(record.received, noted)
  return { ...record, received: feedback === undefined ? received : withFeedback(received, feedback) }
}
