// Runs many seeds on several threads, and shrinks and reports those that break an invariant. Some seeds run twice, to
// check that the same seed gives the same trace.
import { Worker } from 'node:worker_threads'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { PlantedBug } from './planted.ts'
import type { SwarmPlan } from './plan.ts'
import { reachedBy, SOMETIMES } from './sometimes.ts'

export interface SwarmOptions {
  readonly from: number
  /** Inclusive. */
  readonly to: number
  readonly workers: number
  readonly products: readonly Product[]
  readonly faq: readonly FaqEntry[]
  /** One seed in this many is run twice. */
  readonly twiceEvery: number
  /** Whether failing plans are shrunk. */
  readonly shrinks: boolean
  /** Whether to stop after this failure. Default: never. */
  readonly isEnough?: (failure: SwarmFailure) => boolean
  readonly planted?: PlantedBug
  readonly onSeed?: (done: SeedDone, count: number) => void
}

export interface SwarmFailure {
  readonly seed: number
  readonly breaches: readonly string[]
  readonly history: readonly string[]
  /** The smallest plan that still fails. */
  readonly plan: SwarmPlan
}

/** A worker's result for a seed. */
export interface SeedDone {
  readonly seed: number
  readonly seen: readonly string[]
  readonly events: number
  readonly virtualMs: number
  readonly restMs: number
  readonly failure?: SwarmFailure
}

export interface SwarmReport {
  readonly seeds: number
  readonly events: number
  readonly virtualMs: number
  readonly restMsMax: number
  readonly failures: readonly SwarmFailure[]
  /** Number of seeds that reached each rare state. */
  readonly reached: ReadonlyMap<string, number>
}

export interface WorkerGiven {
  readonly products: readonly Product[]
  readonly faq: readonly FaqEntry[]
  readonly shrinks: boolean
  readonly planted: PlantedBug | undefined
}

export interface WorkerAsk {
  readonly seed: number
  readonly twice: boolean
}

export async function runSwarm(options: SwarmOptions): Promise<SwarmReport> {
  const { faq, from, planted, products, shrinks, to, twiceEvery } = options
  const given: WorkerGiven = { products, faq, shrinks, planted }
  const tally = new SwarmTally(options)
  let next = from
  const take = (): WorkerAsk | undefined => {
    if (next > to || tally.isOver) return undefined
    const seed = next
    next += 1
    return { seed, twice: twiceEvery > 0 && seed % twiceEvery === 0 }
  }
  const count = Math.max(1, Math.min(options.workers, to - from + 1))
  await Promise.all(Array.from({ length: count }, () => work(given, take, (done) => tally.add(done))))
  return tally.report()
}

class SwarmTally {
  readonly #options: SwarmOptions
  readonly #reached = new Map(SOMETIMES.map((state) => [state, 0]))
  readonly #failures: SwarmFailure[] = []
  #seeds = 0
  #events = 0
  #virtualMs = 0
  #restMsMax = 0

  constructor(options: SwarmOptions) {
    this.#options = options
  }

  get isOver(): boolean {
    return this.#failures.some((failure) => this.#options.isEnough?.(failure) === true)
  }

  add(done: SeedDone): void {
    this.#seeds += 1
    this.#events += done.events
    this.#virtualMs += done.virtualMs
    this.#restMsMax = Math.max(this.#restMsMax, done.restMs)
    for (const state of reachedBy(new Set(done.seen))) this.#reached.set(state, (this.#reached.get(state) ?? 0) + 1)
    if (done.failure !== undefined) this.#failures.push(done.failure)
    this.#options.onSeed?.(done, this.#seeds)
  }

  report(): SwarmReport {
    return {
      seeds: this.#seeds,
      events: this.#events,
      virtualMs: this.#virtualMs,
      restMsMax: this.#restMsMax,
      failures: this.#failures.toSorted((a, b) => a.seed - b.seed),
      reached: this.#reached,
    }
  }
}

/** Runs one thread, seed after seed, until none is left. */
function work(given: WorkerGiven, take: () => WorkerAsk | undefined, onDone: (done: SeedDone) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('swarm-worker.ts', import.meta.url), { workerData: given })
    const sendNext = () => {
      const ask = take()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      if (ask !== undefined) return worker.postMessage(ask)
      void worker.terminate().then(() => resolve())
    }
    worker.on('error', reject)
    worker.on('message', (done: SeedDone) => {
      onDone(done)
      sendNext()
    })
    sendNext()
  })
}
