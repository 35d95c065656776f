// One lane under load in virtual time: people arrive as they like, wait four seconds at most, and half of those who got nothing
// ask again. A fault comes and goes; what is counted is who was answered and how often the provider was asked.
import { seededRandom } from '../../packages/simulation/src/virtual/random.ts'
import type { SeededRandom } from '../../packages/simulation/src/virtual/random.ts'
import { VirtualTime } from '../../packages/simulation/src/virtual/time.ts'
import type { CuttableClock } from '../../packages/simulation/src/virtual/time.ts'
import { LocalLane } from '../../packages/server/src/domain/lane/local-lane.ts'
import { outcomeOf } from '../../packages/server/src/domain/lane/outcome.ts'
import type { LanePolicy } from '../../packages/server/src/domain/lane/policy.ts'
import { retryCost } from '../../packages/server/src/domain/lane/retry-bucket.ts'
import type { ModelErrorClass } from '../../packages/server/src/domain/model/model-part.ts'
import type { Delays } from '../../packages/server/src/domain/retry/delays.ts'
import { planRetry } from '../../packages/server/src/domain/retry/plan-retry.ts'
import { Provider, WELL } from './provider.ts'
import type { Health } from './provider.ts'

export interface Contender {
  readonly name: string
  readonly policy: LanePolicy
  /** undefined: no retries. */
  readonly delays: (() => Delays) | undefined
}

export interface Scenario {
  readonly name: string
  readonly forMs: number
  readonly health: Health
}

export interface Result {
  /** Answers given while the fault lasted, for each arrival. */
  readonly goodput: number
  /** Calls of the provider while it lasted, for each arrival. */
  readonly attempts: number
  /** From its end until nine of ten arrivals are answered at once, for five seconds. */
  readonly recoveryMs: number
}

const ARRIVALS_PER_SECOND = 100
const PATIENCE_MS = 4000
const TYPICAL_MS = 1000
const STARTS_AT = 1_000_000
const FAULT_AT = STARTS_AT + 20_000
const AFTER_MS = 90_000

interface Person {
  readonly arrivedAt: number
  asks: number
  /** When, and at which asking. */
  answered?: { readonly at: number; readonly ask: number }
}

interface Try {
  readonly person: Person
  readonly giveUpAt: number
  readonly number: number
  readonly cost: number
  readonly delays: Delays | undefined
}

class Crowd {
  readonly people: Person[] = []
  readonly #clock: CuttableClock
  readonly #random: SeededRandom
  readonly #contender: Contender
  readonly #lane: LocalLane
  readonly #provider: Provider

  constructor(parts: { clock: CuttableClock; random: SeededRandom; contender: Contender; provider: Provider }) {
    this.#clock = parts.clock
    this.#random = parts.random
    this.#contender = parts.contender
    this.#provider = parts.provider
    const float = parts.random.fork('lane').float
    this.#lane = new LocalLane({ policy: parts.contender.policy, float, now: parts.clock.now() })
  }

  arrive(): void {
    const person: Person = { arrivedAt: this.#clock.now(), asks: 0 }
    this.people.push(person)
    this.#ask(person)
    const gapMs = (-Math.log(1 - this.#random.float()) * 1000) / ARRIVALS_PER_SECOND
    this.#clock.after(gapMs, () => this.arrive())
  }

  tick(): void {
    this.#lane.tick(this.#clock.now())
    this.#clock.after(this.#contender.policy.settings.tickMs, () => this.tick())
  }

  #ask(person: Person): void {
    person.asks += 1
    const giveUpAt = this.#clock.now() + PATIENCE_MS
    this.#try({ person, giveUpAt, number: 1, cost: 0, delays: this.#contender.delays?.() })
  }

  #try(attempt: Try): void {
    const now = this.#clock.now()
    const id = this.#random.id('attempt')
    const ask = attempt.number === 1 ? ({ kind: 'first' } as const) : ({ kind: 'retry', cost: attempt.cost } as const)
    const answer = this.#lane.take({ id, ask, leaseMs: 60_000 }, now)
    if (answer.kind === 'refused') {
      if (answer.why === 'saturated') this.#lane.shed(now)
      return this.#disappoint(attempt.person)
    }
    let isOver = false
    const end = (failed: ModelErrorClass | undefined) => {
      if (isOver) return
      isOver = true
      patience[Symbol.dispose]()
      this.#lane.report(id, failed === undefined ? 'success' : outcomeOf(failed), this.#clock.now())
      if (failed !== undefined) return this.#failed(attempt, failed, this.#clock.now() - now)
      attempt.person.answered = { at: this.#clock.now(), ask: attempt.person.asks }
    }
    const patience = this.#clock.after(attempt.giveUpAt - now, () => end('timeout'))
    this.#provider.call(end)
  }

  #failed(attempt: Try, failedAs: ModelErrorClass, tookMs: number): void {
    const { number, delays, giveUpAt } = attempt
    if (delays === undefined) return this.#disappoint(attempt.person)
    const now = this.#clock.now()
    const { level } = this.#lane.view(now)
    const plan = planRetry(
      {
        failure: { class: failedAs },
        attemptsOnModel: number,
        attemptsOfTurn: number,
        level,
        delays,
      },
      { now, firstWordBy: giveUpAt, typicalMs: TYPICAL_MS, float: this.#random.float() },
    )
    if (plan.kind === 'give-up') return this.#disappoint(attempt.person)
    const cost = retryCost({ class: failedAs, tookMs }, this.#contender.policy.settings.retry)
    this.#clock.after(plan.delayMs, () => this.#try({ ...attempt, number: number + 1, cost, delays: plan.delays }))
  }

  #disappoint(person: Person): void {
    if (this.#random.happens(0.5)) this.#clock.after(1000 + 2000 * this.#random.float(), () => this.#ask(person))
  }
}

export async function simulate(contender: Contender, scenario: Scenario, seed: number): Promise<Result> {
  const random = seededRandom(`${scenario.name}/${seed}`)
  const time = new VirtualTime({ startsAt: STARTS_AT, random: random.fork('ties'), drain: () => Promise.resolve() })
  const clock = time.clock()
  const healAt = FAULT_AT + scenario.forMs
  const health = () => (clock.now() >= FAULT_AT && clock.now() < healAt ? scenario.health : WELL)
  const provider = new Provider({ clock, random: random.fork('provider'), health })
  const crowd = new Crowd({ clock, random: random.fork('crowd'), contender, provider })
  crowd.arrive()
  crowd.tick()

  const runUntil = (until: number) => time.run({ until, eventsMax: 5_000_000 })
  await runUntil(FAULT_AT)
  const attemptsBefore = provider.attempts
  await runUntil(healAt)
  const attempts = provider.attempts - attemptsBefore
  await runUntil(healAt + AFTER_MS)

  const isDuring = (at: number | undefined) => at !== undefined && at >= FAULT_AT && at < healAt
  const arrivals = crowd.people.filter(({ arrivedAt }) => isDuring(arrivedAt)).length
  const answers = crowd.people.filter(({ answered }) => isDuring(answered?.at)).length
  return {
    goodput: answers / arrivals,
    attempts: attempts / arrivals,
    recoveryMs: recoveryMs(crowd.people, healAt),
  }
}

/** The first second after the heal from which five in a row are good; the whole time when there is none. */
function recoveryMs(people: readonly Person[], healAt: number): number {
  const seconds = AFTER_MS / 1000 - 5
  const isGood = (second: number) => {
    const from = healAt + second * 1000
    const arrived = people.filter(({ arrivedAt }) => arrivedAt >= from && arrivedAt < from + 1000)
    return arrived.filter(({ answered }) => answered?.ask === 1).length >= arrived.length * 0.9
  }
  for (let second = 0, run = 0; second < seconds; second += 1) {
    run = isGood(second) ? run + 1 : 0
    if (run === 5) return (second - 4) * 1000
  }
  return AFTER_MS
}
