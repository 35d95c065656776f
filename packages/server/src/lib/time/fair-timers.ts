// Timers for deadlines on answers from elsewhere. They count only time in which this process could have read an answer: a turn of
// the event loop that took long counts as a short one, and a call that waits behind this process' own other calls waits longer.
// Without it a node under load takes its own slowness for that of Redis or of a model, and refuses shoppers for nothing.
import type { Timers } from './timers.ts'

export interface FairClock extends Timers {
  now(): number
  defer(action: () => void): void
}

/** The event loop is sampled so often in a deadline. */
const SAMPLES = 8
/**
 * A turn of the loop counts as so many samples at most, however long it took. So a process that is always late judges after
 * SAMPLES / TURN_SAMPLES_MAX turns, each of which has read what had arrived.
 */
const TURN_SAMPLES_MAX = 2
/** While earlier answers keep arriving a call waits for this many deadlines, and no longer. */
const QUEUED_MAX = 20
/** Each other open call allows this much more: a peer may work through all that was sent at once before it answers any of it. */
const OTHER_CALL_MS = 1

export interface FairTimers extends Timers {
  /** An answer to an earlier call was read: the peer is working its way towards the later ones. */
  answerReceived(): void
}

export function fairTimers({ clock }: { readonly clock: FairClock }): FairTimers {
  const loop = new EventLoop(clock)
  let heardAt = Number.NEGATIVE_INFINITY
  return {
    answerReceived() {
      heardAt = loop.time()
    },
    after(ms, action) {
      loop.enter(ms / SAMPLES)
      const since = loop.time()
      let timer: Disposable
      let isOver = false
      const finish = () => {
        if (!isOver) loop.leave()
        isOver = true
      }
      const decide = () => {
        if (isOver) return
        const now = loop.time()
        const queueMs = OTHER_CALL_MS * (loop.open - 1)
        const dueAt = Math.min(since + QUEUED_MAX * ms, Math.max(since, heardAt) + ms + queueMs)
        if (now < dueAt) return arm(dueAt - now)
        finish()
        action()
      }
      // What has arrived meanwhile is read before a deferred action.
      const arm = (leftMs: number) => (timer = clock.after(leftMs, () => clock.defer(decide)))
      arm(ms)
      return {
        [Symbol.dispose]() {
          finish()
          timer[Symbol.dispose]()
        },
      }
    },
  }
}

/** Time as the event loop had it for reading: sampled while any deadline is open, a long turn counting as a short one. */
class EventLoop {
  readonly #clock: FairClock
  #open = 0
  #sampleMs = 0
  #sampler: Disposable | undefined
  /** The time counted until the last sample, and when that was. */
  #counted = 0
  #sampledAt = 0

  constructor(clock: FairClock) {
    this.#clock = clock
  }

  /** How many deadlines it is sampled for. */
  get open(): number {
    return this.#open
  }

  time(): number {
    return this.#counted + Math.min(this.#clock.now() - this.#sampledAt, TURN_SAMPLES_MAX * this.#sampleMs)
  }

  enter(sampleMs: number): void {
    this.#open += 1
    if (this.#sampler !== undefined && this.#sampleMs <= sampleMs) return
    this.#count()
    this.#stop()
    this.#sampleMs = sampleMs
    this.#sampleLater()
  }

  leave(): void {
    this.#open -= 1
    if (this.#open === 0) this.#stop()
  }

  #stop(): void {
    this.#sampler?.[Symbol.dispose]()
    this.#sampler = undefined
  }

  #count(): void {
    this.#counted = this.time()
    this.#sampledAt = this.#clock.now()
  }

  #sampleLater(): void {
    const sample = () => {
      if (this.#sampler !== sampler) return
      this.#count()
      this.#sampleLater()
    }
    // The turn is over once what has arrived was read.
    const sampler = this.#clock.after(this.#sampleMs, () => this.#clock.defer(sample))
    this.#sampler = sampler
  }
}
