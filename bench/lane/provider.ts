// A provider in virtual time: so many calls at once, the rest wait in its line, and it goes on working for callers who have
// left. What is wrong with it is a function of the moment.
import type { ModelErrorClass } from '../../packages/server/src/domain/model/model-part.ts'
import type { SeededRandom } from '../../packages/simulation/src/virtual/random.ts'
import type { Clock } from '../../packages/server/src/ports/clock/port.ts'

export interface Health {
  /** Calls it works on at once. */
  readonly slots: number
  /** Calls it takes in a second before it throttles. */
  readonly perSecond: number
  /** Share of calls that fail at once. */
  readonly faultShare: number
}

export const WELL: Health = { slots: 125, perSecond: Infinity, faultShare: 0 }

const QUICK_MS = 50
/** A log-normal of mean one second. */
const SERVICE_SIGMA = 0.5

export class Provider {
  attempts = 0
  #busy = 0
  #line: (() => void)[] = []
  #tokens = 0
  #refilledAt = 0
  readonly #parts: { readonly clock: Clock; readonly random: SeededRandom; readonly health: () => Health }

  constructor(parts: { readonly clock: Clock; readonly random: SeededRandom; readonly health: () => Health }) {
    this.#parts = parts
  }

  call(done: (failed: ModelErrorClass | undefined) => void): void {
    const { clock, random, health } = this.#parts
    this.attempts += 1
    if (random.happens(health().faultShare)) return void clock.after(QUICK_MS, () => done('unavailable'))
    if (!this.#isWithinRate()) return void clock.after(QUICK_MS, () => done('throttled'))
    this.#line.push(() => {
      this.#busy += 1
      clock.after(this.#serviceMs(), () => {
        this.#busy -= 1
        done(undefined)
        this.#work()
      })
    })
    this.#work()
  }

  #work(): void {
    while (this.#busy < this.#parts.health().slots) {
      const next = this.#line.shift()
      if (next === undefined) return
      next()
    }
  }

  #isWithinRate(): boolean {
    const { clock, health } = this.#parts
    const { perSecond } = health()
    if (perSecond === Infinity) return true
    this.#tokens = Math.min(perSecond, this.#tokens + ((clock.now() - this.#refilledAt) * perSecond) / 1000)
    this.#refilledAt = clock.now()
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  #serviceMs(): number {
    const { random } = this.#parts
    const normal = Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
    return 1000 * Math.exp(SERVICE_SIGMA * normal - SERVICE_SIGMA ** 2 / 2)
  }
}
