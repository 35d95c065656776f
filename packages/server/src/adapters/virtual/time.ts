// Virtual time: one heap of events, popped in the order of (moment, seeded tie-break, sequence). Reading time
// never advances it; between two events all promises are drained, then time jumps. A clock handed to a node
// can be cut, and with it everything that node would still have done.
import { Heap } from '#lib/heap.ts'
import { sleepOn } from '#lib/sleep.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'

interface Event {
  readonly at: number
  readonly tieBreak: number
  readonly sequence: number
  action: (() => void) | undefined
}

export interface VirtualTimeParts {
  readonly startsAt: number
  readonly chance: Chance
  /** Resolves once every promise that can go on has gone on: a turn of the real event loop. */
  readonly drain: () => Promise<void>
}

export interface CuttableClock extends Clock {
  /** Forgets every timer, and never calls back again: the node is dead. */
  cut(): void
}

export class VirtualTime {
  readonly #parts: VirtualTimeParts
  readonly #events = new Heap<Event>(
    (a, b) =>
      a.at < b.at ||
      (a.at === b.at && (a.tieBreak < b.tieBreak || (a.tieBreak === b.tieBreak && a.sequence < b.sequence))),
  )
  #now: number
  #sequence = 0

  constructor(parts: VirtualTimeParts) {
    this.#parts = parts
    this.#now = parts.startsAt
  }

  now(): number {
    return this.#now
  }

  clock(): CuttableClock {
    let cut = false
    const at = (ms: number, action: () => void): Disposable =>
      this.#schedule(ms, () => {
        if (!cut) action()
      })
    return {
      now: () => this.#now,
      after: at,
      defer: (action) => void at(0, action),
      sleep: (ms, signal) => sleepOn(at, ms, signal),
      cut: () => {
        cut = true
      },
    }
  }

  /** Runs events until there are none, `until` is reached or `stop` says so. Answers how many ran. */
  async run(limits: {
    readonly until: number
    readonly eventsMax: number
    readonly stop?: () => boolean
  }): Promise<number> {
    let ran = 0
    await this.#parts.drain()
    while (limits.stop?.() !== true) {
      const next = this.#events.peek()
      if (next === undefined || next.at > limits.until) break
      if (ran >= limits.eventsMax)
        throw new Error(`more than ${limits.eventsMax} events: the world does not come to rest`)
      this.#events.pop()
      if (next.action === undefined) continue
      this.#now = next.at
      next.action()
      ran += 1
      await this.#parts.drain()
    }
    return ran
  }

  #schedule(ms: number, action: () => void): Disposable {
    const at = this.#now + Math.max(0, Math.ceil(ms))
    const event: Event = { at, tieBreak: this.#parts.chance.float(), sequence: (this.#sequence += 1), action }
    this.#events.push(event)
    return {
      [Symbol.dispose]() {
        event.action = undefined
      },
    }
  }
}
