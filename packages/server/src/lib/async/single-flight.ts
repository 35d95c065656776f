// Shares one piece of work between callers that want the same result at the same time. The first caller leads and lands its
// result if others can use it; callers that join meanwhile wait for it, at most as long as each allows. A leader that
// fails or is disposed of ends the wait of its followers without a result.
import type { Timers } from '../time/timers.ts'

/** Disposing of it before `land` gives the followers undefined. */
export interface Lead<Value> extends Disposable {
  readonly kind: 'lead'
  land(value: Value): void
}

export interface Follow<Value> {
  readonly kind: 'follow'
  /** Resolves with the leader's result, or with undefined if there is none in time. Never rejects. */
  landed(limit: { readonly ms: number; readonly signal: AbortSignal }): Promise<Value | undefined>
}

export class SingleFlight<Value> {
  readonly #timers: Timers
  readonly #flights = new Map<string, Promise<Value | undefined>>()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** How many flights have a leader now. */
  get size(): number {
    return this.#flights.size
  }

  join(key: string): Lead<Value> | Follow<Value> {
    const inFlight = this.#flights.get(key)
    if (inFlight !== undefined) return { kind: 'follow', landed: (limit) => this.#within(inFlight, limit) }
    const { promise, resolve } = Promise.withResolvers<Value | undefined>()
    this.#flights.set(key, promise)
    const land = (value: Value | undefined) => {
      // Compared by identity: another flight may have started under this key since this one landed.
      if (this.#flights.get(key) === promise) this.#flights.delete(key)
      resolve(value)
    }
    return { kind: 'lead', land, [Symbol.dispose]: () => land(undefined) }
  }

  #within(
    landing: Promise<Value | undefined>,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<Value | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const settle = (value: Value | undefined) => {
        timer[Symbol.dispose]()
        signal.removeEventListener('abort', giveUp)
        resolve(value)
      }
      const giveUp = () => settle(undefined)
      const timer = this.#timers.after(Math.max(0, ms), giveUp)
      signal.addEventListener('abort', giveUp, { once: true })
      void landing.then(settle)
    })
  }
}
