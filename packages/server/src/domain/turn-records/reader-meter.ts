// Counts what one reader of a turn is sent, while it is sent, for the record of the turn. A door makes one for each reading and tells it
// of each frame, each pause and the end; the first end counts.
import type { ReaderDoor, ReaderEnd, SentSums, SentTo } from './turn-record.ts'

/** Shared by readers that are recorded only as sums. */
export class SentTally {
  frames = 0
  bytes = 0
  pauses = 0
  pausedMs = 0

  add({ bytes, frames, pausedMs, pauses }: SentTally): void {
    this.frames += frames
    this.bytes += bytes
    this.pauses += pauses
    this.pausedMs += pausedMs
  }

  /** With a pause that has lasted `pausingMs` and is not over. */
  sums(pausingMs = 0): SentSums {
    const { bytes, frames, pauses } = this
    return { frames, bytes, ...(pauses === 0 ? {} : { pauses, pausedMs: this.pausedMs + pausingMs }) }
  }
}

export class ReaderMeter {
  readonly #door: ReaderDoor
  readonly #clock: { now(): number }
  readonly #beganAt: number
  #tally = new SentTally()
  #pausedAt: number | undefined
  #end: { readonly end: ReaderEnd; readonly at: number } | undefined

  constructor(door: ReaderDoor, clock: { now(): number }) {
    this.#door = door
    this.#clock = clock
    this.#beganAt = clock.now()
  }

  /** A frame of the turn was handed to the transport. */
  sent(bytes: number): void {
    this.#tally.frames += 1
    this.#tally.bytes += bytes
  }

  /** Waits until there is room for more. After the end there is nothing to wait for. */
  async paused(room: Promise<void>): Promise<void> {
    if (this.#end !== undefined) return room
    this.#tally.pauses += 1
    this.#pausedAt = this.#clock.now()
    try {
      await room
    } finally {
      this.#tally.pausedMs += this.#pausingMs()
      this.#pausedAt = undefined
    }
  }

  ended(end: ReaderEnd): void {
    this.#end ??= { end, at: this.#clock.now() }
  }

  /** Adds what was counted so far to `others`, and counts there from now on. */
  countIn(others: SentTally): void {
    others.add(this.#tally)
    this.#tally = others
  }

  sentTo(turn: { readonly acceptedAt: number; readonly offset: number }): SentTo {
    const { offset } = turn
    return {
      door: this.#door,
      // The clock of another node may have accepted it.
      startMs: Math.max(0, this.#beganAt - turn.acceptedAt),
      ...(this.#end === undefined ? {} : { tookMs: this.#end.at - this.#beganAt }),
      ...(offset === 0 ? {} : { offset }),
      ...this.#tally.sums(this.#pausingMs()),
      ...(this.#end === undefined ? {} : { end: this.#end.end }),
    }
  }

  #pausingMs(): number {
    return this.#pausedAt === undefined ? 0 : this.#clock.now() - this.#pausedAt
  }
}
