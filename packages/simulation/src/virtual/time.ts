// Virtual time: one heap of events, popped in the order of (time, seeded tie-break, sequence). Reading time never
// advances it; between two events all promises are drained, then time jumps. A node's clock can be cut, which cancels
// everything that the node would still do.
import { Heap } from '@mangaassist/server/lib/collections/heap'
import { sleepOn } from '@mangaassist/server/lib/time/sleep'
import type { Random } from '@mangaassist/server/ports/random/port'
import type { Clock } from '@mangaassist/server/ports/clock/port'

/** The event is its own handle: once disposed, it does nothing at its time. */
class Event implements VirtualTimer {
  readonly at: number
  readonly tieBreak: number
  readonly sequence: number
  readonly #disposals: { count: number }
  /** Undefined after it ran or was disposed. */
  action: (() => void) | undefined
  isDisposed = false

  constructor(position: Pick<Event, 'at' | 'tieBreak' | 'sequence'>, action: () => void, disposals: { count: number }) {
    this.at = position.at
    this.tieBreak = position.tieBreak
    this.sequence = position.sequence
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

/** Fewer disposed events are not worth a clean-up. */
const DISPOSED_MIN = 1024

export interface VirtualTimeParts {
  readonly startsAt: number
  readonly random: Random
  /** Resolves when all pending promise callbacks have run: one turn of the real event loop. */
  readonly drain: () => Promise<void>
}

export interface VirtualTimer extends Disposable {
  readonly isDisposed: boolean
}

export interface CuttableClock extends Clock {
  /** Cancels every timer and never calls back again: the node is dead. */
  cut(): void
}

export class VirtualTime {
  readonly #parts: VirtualTimeParts
  #events = new Heap<Event>(isBefore)
  /** Disposals since the last clean-up: most timers are deadlines that are never reached. */
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

  /** Runs `action` after `ms`, independent of any node. */
  after(ms: number, action: () => void): VirtualTimer {
    const at = this.#now + Math.max(0, Math.ceil(ms))
    const position = { at, tieBreak: this.#parts.random.float(), sequence: (this.#sequence += 1) }
    const event = new Event(position, action, this.#disposals)
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
      machineTime: () => this.#now,
      after: at,
      defer: (action) => void at(0, action),
      sleep: (ms, signal) => sleepOn(at, ms, signal),
      cut: () => {
        cut = true
      },
    }
  }

  /** Runs events until none are left, `until` is reached or `stop` returns true. Returns how many ran. */
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

  /** Removes disposed events. The order of the others does not change, because it is total. */
  #clear(): void {
    const remaining = new Heap<Event>(isBefore)
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      if (event.action !== undefined) remaining.push(event)
    }
    this.#events = remaining
    this.#disposals.count = 0
  }
}
