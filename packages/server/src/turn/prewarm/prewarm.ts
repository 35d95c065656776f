// The prewarm of a release day: before it begins, one node asks what will be asked about the new volumes, so that the
// answers are in the cache when the crowd comes. The leader has the lease of the day's task and saves its progress after
// every question; if it dies, another continues there. Bounded in questions and in cost, and it waits while the lane of
// the model has no call to spare. Every node also looks the questions up once, because what search learns is its own.
import type { Config } from '#config/config.ts'
import { duePrewarm } from '#domain/releases/prewarm-schedule.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { ReleaseQuestion } from '@mangaassist/bookseller/catalogue/release-questions'
import type { HouseCap } from '../house-calls/house-call.ts'
import type { DueReleases } from './due-releases.ts'
import { isComplete, progressFor } from './prewarm-progress.ts'
import type { PrewarmProgress } from './prewarm-progress.ts'
import type { Prewarmed, PrewarmQuestion } from './prewarm-question.ts'

export interface PrewarmParts {
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Telemetry
  readonly tasks: Tasks
  /** Whether this node does what one node does for all. */
  readonly leads: () => Promise<boolean>
  readonly config: Pick<Config, 'store'>
  /** Identifies this process as the owner of a task. */
  readonly owner: () => string
  readonly dueReleases: (day: string) => Promise<DueReleases>
  /** Understands and looks up a question, as a turn does. Never rejects. */
  readonly lookUp: (question: ReleaseQuestion, signal: AbortSignal) => Promise<void>
  readonly ask: PrewarmQuestion
  /** Whether the model has calls to spare: its lane is normal and has room. */
  readonly isReady: () => boolean
  /** Aborted once the node drains. */
  readonly draining: AbortSignal
}

/** Longer than one question takes, with its wait for a permit. */
const LEASE_MS = 180_000

type PauseReason = 'degraded' | 'circuit-open' | 'saturated' | 'ceiling' | 'draining' | 'lease-lost'
type Count = Record<Exclude<Prewarmed['kind'], 'skipped'>, number>

export interface Prewarm {
  /** Must be called at intervals. */
  round(): Promise<void>
  /**
   * Requests a prewarm of `day` outside the schedule: the next rounds make it, for as long as they would catch up a
   * missed one.
   */
  ask(day: string): void
}

export function createPrewarm(parts: PrewarmParts): Prewarm {
  const { clock, telemetry, tasks, draining } = parts
  const { prewarm: settings, timeZone } = parts.config.store
  /** The day and products that are done, or that this node has looked up, so that no round repeats it. */
  const known = { done: '', searched: '', paused: '' }
  let owner: string | undefined
  let asked: { readonly day: string; readonly until: number } | undefined

  function dueDay(): string | undefined {
    if (asked !== undefined && clock.now() < asked.until) return asked.day
    return settings.enabled ? duePrewarm(clock.now(), settings, timeZone)?.day : undefined
  }

  /** Nothing is left to do for the day. */
  function isOver(day: string): void {
    if (asked?.day === day) asked = undefined
  }

  async function warmSearch({ questions }: DueReleases, key: string): Promise<void> {
    if (known.searched === key) return
    for (const question of questions) {
      if (draining.aborted) return
      await parts.lookUp(question, draining)
    }
    known.searched = key
  }

  function pause(day: string, reason: PauseReason): void {
    telemetry.count('prewarm_paused_total', { reason })
    // Once for each reason and day: it is tried again in every round.
    const key = `${day} ${reason}`
    if (known.paused !== key) telemetry.log('warn', 'prewarm.paused', { day, reason })
    known.paused = key
  }

  /** Said, because a release that is missing in the catalogue looks like this. */
  function hasNone(day: string, key: string): void {
    telemetry.log('info', 'prewarm.no-releases', { day })
    known.done = key
    isOver(day)
  }

  async function round(): Promise<void> {
    const day = draining.aborted ? undefined : dueDay()
    if (day === undefined) return
    const releases = await parts.dueReleases(day)
    const key = `${day} ${releases.digest}`
    if (known.done === key) return isOver(day)
    await warmSearch(releases, key)
    // A requested day is known to this node only, so it prewarms that day even if it does not lead.
    if (asked?.day !== day && !(await parts.leads())) return
    if (releases.questions.length === 0) return hasNone(day, key)
    if (!parts.isReady()) return pause(day, 'degraded')
    owner ??= parts.owner()
    const task = `prewarm:${day}`
    const taken = await tasks.take(task, { owner, leaseMs: LEASE_MS })
    if (taken === undefined) return
    const run = new PrewarmRun(parts, {
      day,
      task,
      owner,
      releases,
      progress: progressFor(releases.digest, taken.progress),
    })
    const paused = await run.work()
    if (paused !== undefined) return pause(day, paused)
    known.done = key
    isOver(day)
  }

  return {
    round,
    ask(day) {
      asked = { day, until: clock.now() + settings.catchUpMs }
    },
  }
}

interface RunOptions {
  readonly day: string
  readonly task: string
  readonly owner: string
  readonly releases: DueReleases
  readonly progress: PrewarmProgress
}

/** The part of a prewarm that one node does under its lease. */
class PrewarmRun {
  readonly #parts: PrewarmParts
  readonly #options: RunOptions
  readonly #count: Count = { made: 0, fresh: 0, unshared: 0, failed: 0 }
  #progress: PrewarmProgress
  #isLeaseLost = false

  constructor(parts: PrewarmParts, options: RunOptions) {
    this.#parts = parts
    this.#options = options
    this.#progress = options.progress
  }

  /** Returns why it paused; undefined when all questions are answered. */
  async work(): Promise<PauseReason | undefined> {
    const { day, releases } = this.#options
    const { telemetry } = this.#parts
    if (isComplete(this.#progress)) return this.#leave(undefined)
    const { questions, leftOut } = releases
    const { next } = this.#progress
    telemetry.log('info', 'prewarm.started', { day, questions: questions.length, leftOut, next })
    for (const question of questions.slice(next)) {
      const paused = await this.#askNext(question)
      if (paused !== undefined) return this.#leave(paused)
      if (this.#progress.isSpent) break
    }
    const { digest, done, isSpent } = this.#progress
    this.#progress = { ...this.#progress, done: isSpent ? done : [...done, digest] }
    telemetry.count('prewarm_runs_total', { outcome: isSpent ? 'cost-limit' : 'complete' })
    this.#report(isSpent ? 'cost-limit' : 'complete')
    return this.#leave(undefined)
  }

  async #askNext(question: ReleaseQuestion): Promise<PauseReason | undefined> {
    const { ask, draining, isReady, telemetry } = this.#parts
    if (draining.aborted) return 'draining'
    if (!isReady()) return 'degraded'
    const result = await ask(question, this.#cap(), draining)
    if (this.#isLeaseLost) return 'lease-lost'
    // What a shutdown broke off is asked again by the next node.
    if (draining.aborted && result.kind === 'failed') return 'draining'
    if (result.kind === 'skipped') {
      if (result.why === 'stopped') return 'draining'
      if (result.why !== 'cap') return result.why
      this.#progress = { ...this.#progress, isSpent: true }
      return undefined
    }
    telemetry.count('prewarm_questions_total', { outcome: result.kind })
    this.#count[result.kind] += 1
    this.#progress = { ...this.#progress, next: this.#progress.next + 1 }
    await this.#save(LEASE_MS)
    return this.#isLeaseLost ? 'lease-lost' : undefined
  }

  /** The cost limit of the day. The reservation is saved before the call, so that a dead node's call is counted. */
  #cap(): HouseCap {
    const before = this.#progress.microUsd
    const { microUsdMax } = this.#parts.config.store.prewarm
    const spent = (microUsd: number) => void (this.#progress = { ...this.#progress, microUsd })
    return {
      hold: async ({ need: { costMicroUsd } }) => {
        if (before + costMicroUsd > microUsdMax) return undefined
        if (costMicroUsd > 0) {
          spent(before + costMicroUsd)
          await this.#save(LEASE_MS)
          if (this.#isLeaseLost) return undefined
        }
        return {
          settle: async (used) => spent(before + used.costMicroUsd),
          release: async () => spent(before),
        }
      },
    }
  }

  /** Ends the lease, so that another node can continue at once. */
  async #leave(paused: PauseReason | undefined): Promise<PauseReason | undefined> {
    if (!this.#isLeaseLost) await this.#save(0)
    if (paused !== undefined) this.#report('paused')
    return paused
  }

  async #save(leaseMs: number): Promise<void> {
    const { task, owner } = this.#options
    const isSaved = await this.#parts.tasks.save(task, JSON.stringify(this.#progress), { owner, leaseMs })
    if (!isSaved) this.#isLeaseLost = true
  }

  #report(outcome: 'complete' | 'cost-limit' | 'paused'): void {
    const { next, microUsd } = this.#progress
    this.#parts.telemetry.log('info', 'prewarm.ended', {
      day: this.#options.day,
      outcome,
      next,
      ...this.#count,
      costMicroUsd: microUsd,
    })
  }
}
