// The slots for turns on this node: which requests are admitted, which are refused with which retry time, and what clients
// learn. A slot is taken before admission, so that a refusal spends nothing and a rush cannot exceed the limit in between.
import { Refusal } from '#domain/refusal.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import { jittered } from './pressure.ts'
import type { Pressure, PressureAction } from './pressure.ts'

export interface TurnSlotsParts {
  readonly clock: Clock
  readonly random: Random
  readonly pressure: Pressure
  readonly runningMax: number
}

const SOURCE = 'running-turns'
/** Shares of all slots at which an action begins, and below which it ends: apart, so that it does not flap. */
const PAUSE_ENDS_BELOW = 0.9
const SLOW_FROM = 0.8
const SLOW_ENDS_BELOW = 0.7
const RETRY_MS_MIN = 1000
const RETRY_MS_MAX = 30_000
/** The assumed duration of a turn before any has ended, and the weight of each ended one. */
const TURN_MS_AT_FIRST = 5000
const LEARNING_SHARE = 0.05

export class TurnSlots {
  readonly #parts: TurnSlotsParts
  #running = 0
  #entering = 0
  /** Requests refused since there was room, minus the slots that became free since. */
  #waiting = 0
  #turnMs = TURN_MS_AT_FIRST
  #action: PressureAction = 'none'

  constructor(parts: TurnSlotsParts) {
    this.#parts = parts
  }

  get running(): number {
    return this.#running
  }

  get room(): number {
    return this.#parts.runningMax - this.#running - this.#entering
  }

  /** Reserves a slot for a turn in admission, until disposed. Throws QUEUE_FULL. */
  reserve(): Disposable {
    const { random, runningMax } = this.#parts
    if (this.room <= 0) {
      this.#waiting += 1
      // When a slot is likely to be free for this request, after those refused before it.
      const ms = (this.#waiting * this.#turnMs) / runningMax
      const retryAfterMs = jittered(Math.min(RETRY_MS_MAX, Math.max(RETRY_MS_MIN, ms)), random.float())
      throw new Refusal('QUEUE_FULL', { retryAfterMs })
    }
    this.#entering += 1
    return { [Symbol.dispose]: () => void (this.#entering -= 1) }
  }

  /** Wraps work so that each run takes a slot. */
  track<Args extends unknown[]>(run: (...args: Args) => Promise<void>): (...args: Args) => Promise<void> {
    return async (...args) => {
      const { clock } = this.#parts
      const began = clock.now()
      this.#change(1)
      try {
        await run(...args)
      } finally {
        this.#turnMs += LEARNING_SHARE * (clock.now() - began - this.#turnMs)
        this.#waiting = Math.max(0, this.#waiting - 1)
        this.#change(-1)
      }
    }
  }

  #change(by: 1 | -1): void {
    this.#running += by
    const action = nextAction(this.#action, this.#running / this.#parts.runningMax)
    if (action === this.#action) return
    this.#action = action
    if (action === 'none') this.#waiting = 0
    this.#parts.pressure.say(SOURCE, action)
  }
}

function nextAction(former: PressureAction, share: number): PressureAction {
  if (share >= 1 || (former === 'pause' && share >= PAUSE_ENDS_BELOW)) return 'pause'
  if (share >= SLOW_FROM || (former !== 'none' && share >= SLOW_ENDS_BELOW)) return 'slow'
  return 'none'
}
