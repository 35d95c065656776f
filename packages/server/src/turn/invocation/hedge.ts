// Asks two models for one answer: the second when the first has sent no text in its usual time. The first to send text
// answers, and the other is stopped. Where both may not be asked, the first is left for the second. Independent of what a
// call is: `call-rung.ts` makes, books and reports the calls.
import type { Clock } from '#ports/clock/port.ts'
import { Left, Outrun } from './attempt.ts'
import type { Attempted } from './attempt.ts'

type Runner = 'first' | 'second'

/**
 * The context of one of the two calls: its own signal, and whether its text counts, which it must check before each piece
 * of text.
 */
export interface RaceLane {
  readonly signal: AbortSignal
  readonly maySpeak: () => boolean
}

export type Run = (lane: RaceLane) => Promise<Attempted>

export interface Hedging {
  /** When the second model is considered, after the first call: at its usual time, and a last time. */
  readonly afterMs: readonly number[]
  /**
   * Prepares the second call when it is due: a budget and a permit. `leave`: only one of the two may be asked, and it should be the second.
   * Undefined: the first is waited for alone.
   */
  readonly prepare: (isLast: boolean) => Promise<PreparedRun | 'leave' | undefined>
  /** Whether the first is left when the second has failed without a word, because a third can be asked. */
  readonly isThirdFree: () => boolean
  /** Whether the first model shows that it thinks: then it keeps its time, and no second is asked. */
  readonly isThinking: () => boolean
}

/** The other model has sent text first, and the call was stopped for it. */
export function isOutrun({ end }: Attempted): boolean {
  return end.kind === 'failed' && end.class === 'cancelled'
}

export interface PreparedRun {
  readonly run: Run
  /** Releases them when the call is not needed any more. */
  readonly giveBack: () => void
}

export interface Raced {
  readonly made: Attempted
  /** Whether the second call answered. */
  readonly isHedge: boolean
  /** The call that did not answer, if two were made. */
  readonly other?: Attempted
}

export async function race(
  { clock, signal }: { readonly clock: Pick<Clock, 'now' | 'sleep'>; readonly signal: AbortSignal },
  first: Run,
  { afterMs, isThinking, isThirdFree, onOutrun, prepare }: Hedging & { readonly onOutrun: (loser: Attempted) => void },
): Promise<Raced> {
  const own = { first: new AbortController(), second: new AbortController() }
  const idle = new AbortController()
  const from = clock.now()
  let speaker: Runner | undefined
  let isFirstOver = false
  const stopAll = () => {
    for (const controller of [own.first, own.second, idle]) controller.abort(signal.reason)
  }
  signal.addEventListener('abort', stopAll, { once: true })
  if (signal.aborted) stopAll()
  const laneOf = (runner: Runner, other: Runner): RaceLane => ({
    signal: own[runner].signal,
    maySpeak() {
      if (speaker === undefined) {
        speaker = runner
        own[other].abort(new Outrun())
        idle.abort()
      }
      return speaker === runner
    },
  })
  const reportLoser = (made: Attempted) => {
    if (isOutrun(made)) onOutrun(made)
    return made
  }
  const isNeeded = () => speaker === undefined && !isFirstOver && !signal.aborted && !isThinking()

  async function hedge(): Promise<Attempted | undefined> {
    for (const [index, ms] of afterMs.entries()) {
      await clock.sleep(Math.max(0, from + ms - clock.now()), idle.signal).catch(() => {})
      if (!isNeeded()) return undefined
      const prepared = await prepare(index === afterMs.length - 1)
      if (prepared === 'leave') {
        if (isNeeded()) own.first.abort(new Left())
        return undefined
      }
      if (prepared === undefined) continue
      if (isNeeded()) {
        const made = await prepared.run(laneOf('second', 'first')).then(reportLoser)
        if (isNeeded() && isThirdFree()) own.first.abort(new Left())
        return made
      }
      prepared.giveBack()
      return undefined
    }
    return undefined
  }

  try {
    const [one, other] = await Promise.all([
      first(laneOf('first', 'second'))
        .then(reportLoser)
        .finally(() => {
          isFirstOver = true
          idle.abort()
        }),
      hedge(),
    ])
    if (other === undefined) return { made: one, isHedge: false }
    return speaker === 'second' ? { made: other, isHedge: true, other: one } : { made: one, isHedge: false, other }
  } finally {
    signal.removeEventListener('abort', stopAll)
  }
}

/** The most that may accumulate: a quiet hour must not pay for a burst. */
const SAVED_MAX = 3
const WINDOW_MS = 10_000

export interface HedgeShareParts {
  readonly clock: Pick<Clock, 'now'>
  /** The most second calls, as a share of the first calls of this node. */
  readonly shareMax: number
  /** The most second calls of the whole cluster in any ten seconds. */
  readonly perTenSecondsMax: number
  /** How many nodes share that. */
  readonly nodes: () => number
}

/** Limits the second calls of a node to a share of its first calls, and to its part of the cluster's cap. */
export class HedgeShare {
  readonly #parts: HedgeShareParts
  #saved = 0
  /** When the last second calls were made, the oldest first. */
  #taken: readonly number[] = []

  constructor(parts: HedgeShareParts) {
    this.#parts = parts
  }

  /** Counts a first call. */
  earn(): void {
    this.#saved = Math.min(SAVED_MAX, this.#saved + this.#parts.shareMax)
  }

  take(): boolean {
    const { clock, nodes, perTenSecondsMax } = this.#parts
    const now = clock.now()
    this.#taken = this.#taken.filter((at) => at > now - WINDOW_MS)
    if (this.#saved < 1 || this.#taken.length >= Math.ceil(perTenSecondsMax / Math.max(1, nodes()))) return false
    this.#saved -= 1
    this.#taken = [...this.#taken, now]
    return true
  }

  /** Returns a share whose call was not made. */
  putBack(): void {
    this.#saved = Math.min(SAVED_MAX, this.#saved + 1)
    this.#taken = this.#taken.slice(0, -1)
  }
}
