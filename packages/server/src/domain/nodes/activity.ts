// What a node did in steps of ten seconds: questions, ended and degraded turns, costs, refusals and first words. A step is small, bounded and can be added to those
// of other nodes: first words are counts by duration, because percentiles cannot be added. Nothing personal is in it.
import { bucketOf, within } from '#lib/rates/duration-counts.ts'

export const STEP_MS = 10_000
/** Half an hour. */
export const STEPS_MAX = 180
/** How many ended steps an announcement has: two lost announcements lose nothing. */
export const STEPS_ANNOUNCED = 3

export interface ActivityStep {
  /** Its beginning, by the clock of its node; a multiple of `STEP_MS`. */
  readonly at: number
  /** Admitted, completions included. */
  readonly questions: number
  /** Ended, of those that are recorded. */
  readonly turns: number
  /** Ended turns below the first choice of their route. */
  readonly degraded: number
  /** At vendors, house calls included. */
  readonly costMicroUsd: number
  /** Turns that ran at its end. */
  readonly running: number
  /** By error code. */
  readonly refusals: Readonly<Record<string, number>>
  /** How many first words came within each duration of `FIRST_WORDS_MS`; the last count is of those beyond. Zeros at the end are left out. */
  readonly firstWords: readonly number[]
}

export const FIRST_WORDS_MS = [50, 100, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 8000, 15_000, 30_000]
const CODE = /^[A-Z_]{1,32}$/
const CODES_MAX = 32

type Counting = { -readonly [Field in keyof ActivityStep]: ActivityStep[Field] } & {
  refusals: Record<string, number>
  firstWords: number[]
}

const stepAt = (now: number) => Math.floor(now / STEP_MS) * STEP_MS
const emptyStep = (at: number): Counting => ({
  at,
  questions: 0,
  turns: 0,
  degraded: 0,
  costMicroUsd: 0,
  running: 0,
  refusals: {},
  firstWords: [],
})

interface EndedTurn {
  readonly firstWordMs: number | null
  readonly isDegraded: boolean
}

/** Counts what this node does. */
export class ActivityMeter {
  readonly #now: () => number
  readonly #ended: ActivityStep[] = []
  #current: Counting

  constructor(now: () => number) {
    this.#now = now
    this.#current = emptyStep(stepAt(now()))
  }

  admitted(): void {
    this.#step().questions += 1
  }

  turnEnded({ firstWordMs, isDegraded }: EndedTurn): void {
    const step = this.#step()
    step.turns += 1
    if (isDegraded) step.degraded += 1
    if (firstWordMs === null) return
    const bucket = bucketOf(FIRST_WORDS_MS, firstWordMs)
    while (step.firstWords.length <= bucket) step.firstWords.push(0)
    step.firstWords[bucket] = (step.firstWords[bucket] ?? 0) + 1
  }

  spent(microUsd: number): void {
    this.#step().costMicroUsd += microUsd
  }

  refused(code: string): void {
    const { refusals } = this.#step()
    refusals[code] = (refusals[code] ?? 0) + 1
  }

  /** Notes how many turns run now, and returns the newest ended steps. */
  announced(running: number): readonly ActivityStep[] {
    this.#step().running = running
    return this.#ended
  }

  #step(): Counting {
    const at = stepAt(this.#now())
    if (at === this.#current.at) return this.#current
    this.#ended.push(this.#current)
    if (this.#ended.length > STEPS_ANNOUNCED) this.#ended.shift()
    const { running } = this.#current
    this.#current = { ...emptyStep(at), running }
    return this.#current
  }
}

/** Adds steps; `at` is that of the first. */
export function addedUp(steps: readonly ActivityStep[], at = steps[0]?.at ?? 0): ActivityStep {
  const sum = emptyStep(at)
  for (const step of steps) {
    for (const name of ['questions', 'turns', 'degraded', 'costMicroUsd', 'running'] as const) sum[name] += step[name]
    for (const [code, count] of Object.entries(step.refusals)) sum.refusals[code] = (sum.refusals[code] ?? 0) + count
    for (const [bucket, count] of step.firstWords.entries()) {
      while (sum.firstWords.length <= bucket) sum.firstWords.push(0)
      sum.firstWords[bucket] = (sum.firstWords[bucket] ?? 0) + count
    }
  }
  return sum
}

/** The duration within which `share` of the first words came; null without words. */
export function firstWordsWithin(counts: readonly number[], share: number): number | null {
  return within(FIRST_WORDS_MS, counts, share)
}

/** Reads the steps that a node of any version announced; unknown forms are left out. */
export function readSteps(value: unknown): readonly ActivityStep[] {
  return Array.isArray(value) ? value.slice(0, STEPS_ANNOUNCED).flatMap((step: unknown) => readStep(step) ?? []) : []
}

function readStep(value: unknown): ActivityStep | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { at, firstWords, refusals, ...given } = value as Partial<Record<keyof ActivityStep, unknown>>
  if (!isCount(at) || at % STEP_MS !== 0) return undefined
  const figure = (name: 'questions' | 'turns' | 'degraded' | 'costMicroUsd' | 'running') =>
    isCount(given[name]) ? given[name] : 0
  const counts = Array.isArray(firstWords) ? firstWords.slice(0, FIRST_WORDS_MS.length + 1) : []
  const codes = typeof refusals === 'object' && refusals !== null ? Object.entries(refusals).slice(0, CODES_MAX) : []
  return {
    at,
    questions: figure('questions'),
    turns: figure('turns'),
    degraded: figure('degraded'),
    costMicroUsd: figure('costMicroUsd'),
    running: figure('running'),
    refusals: Object.fromEntries(codes.filter(([code, count]) => CODE.test(code) && isCount(count))),
    firstWords: counts.map((count: unknown) => (isCount(count) ? count : 0)),
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
