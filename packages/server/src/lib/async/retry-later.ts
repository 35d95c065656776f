// Work for a store that is away: kept here and tried again until it is through, in the order it came. Bounded: past its
// size the oldest is given up, and so is what has failed too often; either is told. One timer while there is anything.
import type { Timers } from '../time/timers.ts'

export interface RetryLaterOptions {
  readonly timers: Timers
  readonly entriesMax: number
  /** The longest pause between two tries. Default: 5 s. */
  readonly pauseMaxMs?: number
  readonly onGivenUp: (key: string) => void
}

interface Entry {
  readonly work: () => Promise<unknown>
  readonly tries: number
}

const PAUSE_FIRST_MS = 100
const PAUSE_MAX_MS = 5000
/** About an hour of a store that is there and refuses. */
const TRIES_MAX = 720
/** Three seconds when a process leaves: a store that is away for a moment, or is not asked for one, costs no charge. */
const LAST_TRIES_MAX = 16
const LAST_PAUSE_MS = 200

export class RetryLater implements Disposable {
  readonly #options: RetryLaterOptions
  readonly #entries = new Map<string, Entry>()
  #timer: Disposable | undefined
  #pauseMs = PAUSE_FIRST_MS
  #running: Promise<void> | undefined
  #isOver = false

  constructor(options: RetryLaterOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** Work of a key that waits already takes its place. */
  add(key: string, work: () => Promise<unknown>): void {
    if (this.#isOver) return this.#options.onGivenUp(key)
    this.#entries.set(key, { work, tries: 0 })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.entriesMax) break
      this.#giveUp(oldest)
    }
    this.#arm()
  }

  /** Whether work of this key was waiting. What is being tried just now may still be done. */
  cancel(key: string): boolean {
    return this.#entries.delete(key)
  }

  /** Tries the work of one key now, ahead of its turn. When it fails it goes on waiting. */
  async tryNow(key: string): Promise<void> {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    try {
      await entry.work()
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    } catch {
      // Its next try is by the timer.
    }
  }

  /** Tries everything now, until something fails. */
  flush(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** The last chance: everything is tried again and again for a moment, and what has not come through by then is given up. */
  async close(): Promise<void> {
    for (let tries = 1; tries <= LAST_TRIES_MAX; tries += 1) {
      await this.flush()
      if (this.#entries.size === 0 || tries === LAST_TRIES_MAX) break
      await new Promise<void>((resolve) => void this.#options.timers.after(LAST_PAUSE_MS, resolve))
    }
    this[Symbol.dispose]()
  }

  /** What has not come through by now is given up. */
  [Symbol.dispose](): void {
    this.#isOver = true
    this.#timer?.[Symbol.dispose]()
    for (const key of this.#entries.keys()) this.#giveUp(key)
  }

  async #run(): Promise<void> {
    // As many as there are now: what fails goes to the end, and is not met again in the same round.
    for (const [key, entry] of Array.from(this.#entries)) {
      if (this.#entries.get(key) !== entry) continue
      try {
        await entry.work()
        this.#pauseMs = PAUSE_FIRST_MS
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      } catch {
        this.#failed(key, entry)
        return
      }
    }
  }

  #failed(key: string, entry: Entry): void {
    this.#pauseMs = Math.min(this.#options.pauseMaxMs ?? PAUSE_MAX_MS, this.#pauseMs * 2)
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    if (entry.tries + 1 >= TRIES_MAX) this.#options.onGivenUp(key)
    else this.#entries.set(key, { ...entry, tries: entry.tries + 1 })
  }

  #giveUp(key: string): void {
    this.#entries.delete(key)
    this.#options.onGivenUp(key)
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isOver || this.#entries.size === 0) return
    this.#timer = this.#options.timers.after(this.#pauseMs, () => {
      void this.flush().then(() => {
        this.#timer = undefined
        this.#arm()
      })
    })
  }
}
