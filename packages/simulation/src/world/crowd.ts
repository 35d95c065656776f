// All simulated shoppers: an open Poisson process whose rate changes over time. Arrivals do not wait for each other, so
// a slow fleet gets no relief. Records the outcome of each visit.
import type { SeededRandom } from '../virtual/random.ts'
import type { DoneFrame } from '@mangaassist/protocol'
import type { AnswerCheck } from './answer-check.ts'
import type { FleetWorld } from './fleet-world.ts'
import { startHostileClient } from './hostile.ts'
import { Person } from './person.ts'
import type { Visit } from './person.ts'
import type { PersonHabits } from './person-habits.ts'

export interface CrowdParts {
  readonly world: FleetWorld
  /** Decides who comes when and asks what. */
  readonly random: SeededRandom
  readonly habits: PersonHabits
  /** Arrival rate at a time of the run. */
  readonly arrivalsPerSecond: (atMs: number) => number
  /** The maximum of that rate. */
  readonly arrivalsPerSecondMax: number
  readonly untilMs: number
  /** The share of arrivals at a time of the run who ask about the new volume, and what they ask. Default: none. */
  readonly newVolume?: { readonly shareAt: (atMs: number) => number; readonly questions: readonly string[] }
  /** The account of a shopper. Default: its own. */
  readonly accountOf?: (name: string, random: SeededRandom) => string
  readonly onArrival: (visit: Visit, name: string) => void
  readonly onFirstWord: (visit: Visit) => void
  readonly onEnd: (visit: Visit, done: DoneFrame) => void
  readonly onAnswer?: (answer: AnswerCheck) => void
}

/**
 * Questions about the shopper's own purchases: their answers are private and never come from a cache, so each needs a
 * model. Few, because each distinct question is analysed once.
 */
export const OWN_QUESTIONS = [
  '先日買った本に似た漫画は',
  '購入した漫画の次は何を',
  'I bought One Piece, what next?',
  'I ordered a dark one, any like it?',
  '買った本が泣けた。他には',
  'What goes with my order?',
]
/** Questions without personal data: a cached answer may be used. */
const COMMON_QUESTIONS = ['泣ける漫画は', 'Something dark', '完結した名作', 'About cooking', '猫の話', 'Space']
const TURNS_KNOWN_MAX = 200

export class Crowd {
  /** Shoppers whose visit has not ended. */
  readonly people = new Set<Person>()
  readonly turnIds: string[] = []
  readonly principals: string[] = []
  readonly #parts: CrowdParts
  readonly #random: SeededRandom
  #came = 0
  /** In fractions of a millisecond, so that the rate is exact. */
  #dueMs = 0

  constructor(parts: CrowdParts) {
    this.#parts = parts
    this.#random = parts.random
    this.#next()
  }

  get came(): number {
    return this.#came
  }

  #next(): void {
    const { arrivalsPerSecond, arrivalsPerSecondMax, untilMs, world } = this.#parts
    const waitMs = (-Math.log(1 - this.#random.float()) * 1000) / arrivalsPerSecondMax
    this.#dueMs = Math.max(this.#dueMs, world.atMs) + waitMs
    if (this.#dueMs >= untilMs) return
    world.time.after(this.#dueMs - world.atMs, () => {
      // Thinning: accepts arrivals of the highest rate in proportion to the current rate.
      if (this.#random.float() * arrivalsPerSecondMax < arrivalsPerSecond(world.atMs)) this.#come()
      this.#next()
    })
  }

  #come(): void {
    const { accountOf, habits, onAnswer, onArrival, onEnd, onFirstWord, world } = this.#parts
    const name = `guest_${this.#came}`
    this.#came += 1
    const random = this.#random.fork(name)
    if (random.happens(habits.hostileShare)) {
      const foreignTurn = () => this.turnIds.at(-1 - Math.floor(random.float() * TURNS_KNOWN_MAX))
      return startHostileClient({ name, world, random, foreignTurn })
    }
    const account = accountOf?.(name, random) ?? name
    this.principals.push(account)
    const aboutNewVolume = this.#newVolumeQuestion(random)
    const question =
      aboutNewVolume ?? random.pick(random.happens(habits.repeatShare) ? COMMON_QUESTIONS : OWN_QUESTIONS)
    const onTurn = (turnId: string) => void this.turnIds.push(turnId)
    const onOver = (one: Person) => void this.people.delete(one)
    const isAboutNewVolume = aboutNewVolume !== undefined
    const own = { name, account, world, random, habits, question, isAboutNewVolume }
    const person = new Person({ ...own, onFirstWord, onEnd, onTurn, onAnswer, onOver })
    this.people.add(person)
    onArrival(person.visit, name)
  }

  /** Draws nothing where no one asks about it, so that other scenarios stay as they are. */
  #newVolumeQuestion(random: SeededRandom): string | undefined {
    const { newVolume, world } = this.#parts
    const share = newVolume?.shareAt(world.atMs) ?? 0
    return newVolume !== undefined && share > 0 && random.happens(share) ? random.pick(newVolume.questions) : undefined
  }
}
