// Timers for deadlines on remote answers. They count only time in which this process could have read an answer: a long turn of
// the event loop counts as a short one, and a call that is queued behind other calls of this process gets more time.
// Without this a node under load mistakes its own delay for that of Redis or of a model, and refuses shoppers needlessly.
import type { Timers } from './timers.ts'

export interface FairClock extends Timers {
  now(): number
  defer(action: () => void): void
}

/** How often the event loop is sampled within a deadline. */
const SAMPLES = 8
/**
 * A turn of the event loop counts as at most this many samples. A process that is always late thus fires after
 * SAMPLES / TURN_SAMPLES_MAX turns, each of which has read its input.
 */
const TURN_SAMPLES_MAX = 2
/** While earlier answers keep arriving, a call waits for at most this many times its deadline. */
const QUEUED_MAX = 20
/** Each other open call extends the deadline by this: a peer may process a whole batch before it answers any call of it. */
const OTHER_CALL_MS = 1

export interface FairTimers extends Timers {
  /** Reports that an answer to an earlier call was read: the peer is still working towards the later ones. */
  answerReceived(): void
}

export function fairTimers({ clock }: { readonly clock: FairClock }): FairTimers {
  const loop = new EventLoop(clock)
  let receivedAt = Number.NEGATIVE_INFINITY
  return {
    answerReceived() {
      receivedAt = loop.time()
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
        const dueAt = Math.min(since + QUEUED_MAX * ms, Math.max(since, receivedAt) + ms + queueMs)
        if (now < dueAt) return arm(dueAt - now)
        finish()
        action()
      }
      // Deferred, so that input that has arrived meanwhile is read first.
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

/** The time that the event loop had for reading input: sampled while a deadline is open, with long turns counted as short. */
class EventLoop {
  readonly #clock: FairClock
  #open = 0
  #sampleMs = 0
  #sampler: Disposable | undefined
  /** The time counted up to the last sample; `#sampledAt` is the moment of that sample. */
  #counted = 0
  #sampledAt = 0

  constructor(clock: FairClock) {
    this.#clock = clock
  }

  /** How many deadlines are open. */
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
    // Deferred: a turn ends after its input was read.
    const sampler = this.#clock.after(this.#sampleMs, () => this.#clock.defer(sample))
    this.#sampler = sampler
  }
}
