// One timer for the looks of all connections of a door, instead of timers for each: a heap of when each wants to be
// looked at next. What was closed stays until its time comes, a heartbeat at most.
import { Heap } from '#lib/collections/heap.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface Timed {
  /** When it wants to be looked at; moved only by the looks. */
  dueAt: number
  /** Answers when to look again; undefined: never. */
  onDue(): number | undefined
}

/** So that a thousand heartbeats that fall together hold up no answer. */
const LOOKS_AT_ONCE_MAX = 250

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
    // Nothing arms it again.
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
    for (let looks = 0; looks < LOOKS_AT_ONCE_MAX; looks += 1) {
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
