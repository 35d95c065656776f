// One piece of work for all who want the same at the same time. Whoever comes first leads and says at the end what came
// of it, if it is of use to others; those who come meanwhile wait for that, but never longer than they can afford. A
// leader that fails, or is lost, leaves its followers with nothing rather than waiting.
import type { Timers } from '../time/timers.ts'

/** Disposing of it without having landed tells the followers that there is nothing for them. */
export interface Lead<Value> extends Disposable {
  readonly kind: 'lead'
  land(value: Value): void
}

export interface Follow<Value> {
  readonly kind: 'follow'
  /** What the leader landed; undefined when that is nothing, or is not there in time. Never rejects. */
  landed(limit: { readonly ms: number; readonly signal: AbortSignal }): Promise<Value | undefined>
}

export class SingleFlight<Value> {
  readonly #timers: Timers
  readonly #flights = new Map<string, Promise<Value | undefined>>()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** How many are under way: as many as have a leader. */
  get size(): number {
    return this.#flights.size
  }

  join(key: string): Lead<Value> | Follow<Value> {
    const underWay = this.#flights.get(key)
    if (underWay !== undefined) return { kind: 'follow', landed: (limit) => this.#within(underWay, limit) }
    const { promise, resolve } = Promise.withResolvers<Value | undefined>()
    this.#flights.set(key, promise)
    const land = (value: Value | undefined) => {
      // By identity: another flight may have begun under the key since this one landed.
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
