// One timer for the due times of all connections of a door, instead of timers for each: a heap by due time. A closed entry
// stays until its time comes, a heartbeat at most.
import { Heap } from '#lib/collections/heap.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface Timed {
  /** When the entry is due; changed only by the wheel. */
  dueAt: number
  /** Returns when it is due next; undefined for never. */
  onDue(): number | undefined
}

/** A limit, so that a thousand heartbeats that are due together delay no answer. */
const CALLS_AT_ONCE_MAX = 250

export class TimerWheel implements Disposable {
  readonly #clock: Clock
  readonly #waiting = new Heap<Timed>((a, b) => a.dueAt < b.dueAt)
  #timer: Disposable | undefined
  #timerAt = Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(entry: Timed): void {
    this.#waiting.push(entry)
    this.#arm()
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]()
    // From now on nothing arms the timer again.
    this.#timerAt = -Infinity
  }

  #arm(): void {
    const first = this.#waiting.peek()
    if (first === undefined || this.#timerAt <= first.dueAt) return
    this.#timer?.[Symbol.dispose]()
    this.#timerAt = first.dueAt
    this.#timer = this.#clock.after(Math.max(0, first.dueAt - this.#clock.now()), () => this.#run())
  }

  #run(): void {
    if (this.#timerAt === -Infinity) return
    this.#timerAt = Infinity
    const now = this.#clock.now()
    for (let calls = 0; calls < CALLS_AT_ONCE_MAX; calls += 1) {
      const first = this.#waiting.peek()
      if (first === undefined || first.dueAt > now) break
      this.#waiting.pop()
      const next = first.onDue()
      if (next === undefined) continue
      first.dueAt = Math.max(next, now + 1)
      this.#waiting.push(first)
    }
    this.#arm()
  }
}
