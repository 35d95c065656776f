// Virtual time: one heap of events, popped in the order of (moment, seeded tie-break, sequence). Reading time
// never advances it; between two events all promises are drained, then time jumps. A clock handed to a node
// can be cut, and with it everything that node would still have done.
import { Heap } from '@mangaassist/server/lib/collections/heap'
import { sleepOn } from '@mangaassist/server/lib/time/sleep'
import type { Random } from '@mangaassist/server/ports/random/port'
import type { Clock } from '@mangaassist/server/ports/clock/port'

/** Its own handle: disposed of, it does nothing when its moment comes. */
class Event implements VirtualTimer {
  readonly at: number
  readonly tieBreak: number
  readonly sequence: number
  readonly #disposals: { count: number }
  /** Undefined once it ran, or was disposed of. */
  action: (() => void) | undefined
  isDisposed = false

  constructor(place: Pick<Event, 'at' | 'tieBreak' | 'sequence'>, action: () => void, disposals: { count: number }) {
    this.at = place.at
    this.tieBreak = place.tieBreak
    this.sequence = place.sequence
    this.#disposals = disposals
    this.action = action
  }

  [Symbol.dispose](): void {
    if (this.action !== undefined) this.#disposals.count += 1
    this.action = undefined
    this.isDisposed = true
  }
}

function isBefore(a: Event, b: Event): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.tieBreak < b.tieBreak || (a.tieBreak === b.tieBreak && a.sequence < b.sequence)
}

/** Fewer are left where they are. */
const DISPOSED_MIN = 1024

export interface VirtualTimeParts {
  readonly startsAt: number
  readonly random: Random
  /** Resolves once every promise that can go on has gone on: a turn of the real event loop. */
  readonly drain: () => Promise<void>
}

export interface VirtualTimer extends Disposable {
  readonly isDisposed: boolean
}

export interface CuttableClock extends Clock {
  /** Forgets every timer, and never calls back again: the node is dead. */
  cut(): void
}

export class VirtualTime {
  readonly #parts: VirtualTimeParts
  #events = new Heap<Event>(isBefore)
  /** Since those that were disposed of were last cleared away: most timers are deadlines that nobody reaches. */
  readonly #disposals = { count: 0 }
  #now: number
  #sequence = 0

  constructor(parts: VirtualTimeParts) {
    this.#parts = parts
    this.#now = parts.startsAt
  }

  now(): number {
    return this.#now
  }

  /** Runs `action` after `ms`, whoever lives or dies. */
  after(ms: number, action: () => void): VirtualTimer {
    const at = this.#now + Math.max(0, Math.ceil(ms))
    const place = { at, tieBreak: this.#parts.random.float(), sequence: (this.#sequence += 1) }
    const event = new Event(place, action, this.#disposals)
    this.#events.push(event)
    if (this.#disposals.count > DISPOSED_MIN && this.#disposals.count * 2 > this.#events.size) this.#clear()
    return event
  }

  clock(): CuttableClock {
    let cut = false
    const at = (ms: number, action: () => void): Disposable =>
      this.after(ms, () => {
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
      const { action } = next
      if (action === undefined) continue
      next.action = undefined
      this.#now = next.at
      action()
      ran += 1
      await this.#parts.drain()
    }
    return ran
  }

  /** Their order does not change: it is total. */
  #clear(): void {
    const kept = new Heap<Event>(isBefore)
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      if (event.action !== undefined) kept.push(event)
    }
    this.#events = kept
    this.#disposals.count = 0
  }
}
