// Retries work for an unavailable store until it succeeds, in the order in which it was added. Bounded: past the size limit
// the oldest work is given up, as is work that has failed too often; `onGivenUp` reports both. One timer for all of it.
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
/** About an hour of a store that answers with errors. */
const TRIES_MAX = 720
/** At close the work is tried for three more seconds, so that a short outage loses no charge. */
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

  /** Whether work waits under this key. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** Replaces the work that already waits under this key, if any. */
  add(key: string, work: () => Promise<unknown>): void {
    if (this.#isOver) return this.#options.onGivenUp(key)
    this.#entries.set(key, { work, tries: 0 })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.entriesMax) break
      this.#giveUp(oldest)
    }
    this.#arm()
  }

  /** Returns whether work was waiting under this key. A try that is in flight may still succeed. */
  cancel(key: string): boolean {
    return this.#entries.delete(key)
  }

  /** Tries the work of one key now, ahead of its turn. If it fails, it keeps waiting. */
  async tryNow(key: string): Promise<void> {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    try {
      await entry.work()
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    } catch {
      // The timer tries it again.
    }
  }

  /** Tries everything now, until something fails. */
  flush(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Tries everything repeatedly for about three seconds, then gives up the rest. */
  async close(): Promise<void> {
    for (let tries = 1; tries <= LAST_TRIES_MAX; tries += 1) {
      await this.flush()
      if (this.#entries.size === 0 || tries === LAST_TRIES_MAX) break
      await new Promise<void>((resolve) => void this.#options.timers.after(LAST_PAUSE_MS, resolve))
    }
    this[Symbol.dispose]()
  }

  /** Gives up all work that still waits. */
  [Symbol.dispose](): void {
    this.#isOver = true
    this.#timer?.[Symbol.dispose]()
    for (const key of this.#entries.keys()) this.#giveUp(key)
  }

  async #run(): Promise<void> {
    // A copy of the entries: work that fails moves to the end and must not be tried twice in one round.
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
