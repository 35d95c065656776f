// Asks two models for one answer: the second when the first has sent no text in its usual time. The first to send text
// answers, and the other is stopped. Independent of what a call is: `call-rung.ts` makes, books and reports the calls.
import type { Clock } from '#ports/clock/port.ts'
import { Outrun } from './attempt.ts'
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
  /** Delay after the first call. */
  readonly afterMs: number
  /** Prepares the second call when it is due: a budget and a permit. Returns undefined when there is none. */
  readonly prepare: () => Promise<PreparedRun | undefined>
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
  { clock, signal }: { readonly clock: Pick<Clock, 'sleep'>; readonly signal: AbortSignal },
  first: Run,
  { afterMs, prepare }: Hedging,
): Promise<Raced> {
  const own = { first: new AbortController(), second: new AbortController() }
  const idle = new AbortController()
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
  const isNeeded = () => speaker === undefined && !isFirstOver && !signal.aborted

  async function hedge(): Promise<Attempted | undefined> {
    await clock.sleep(afterMs, idle.signal).catch(() => {})
    if (!isNeeded()) return undefined
    const prepared = await prepare()
    if (prepared === undefined) return undefined
    if (isNeeded()) return prepared.run(laneOf('second', 'first'))
    prepared.giveBack()
    return undefined
  }

  try {
    const [one, other] = await Promise.all([
      first(laneOf('first', 'second')).finally(() => {
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

/** Limits the second calls of a node to a share of its first calls. */
export class HedgeShare {
  readonly #shareMax: number
  #saved = 0

  constructor(shareMax: number) {
    this.#shareMax = shareMax
  }

  /** Counts a first call. */
  earn(): void {
    this.#saved = Math.min(SAVED_MAX, this.#saved + this.#shareMax)
  }

  take(): boolean {
    if (this.#saved < 1) return false
    this.#saved -= 1
    return true
  }

  /** Returns a share whose call was not made. */
  putBack(): void {
    this.#saved = Math.min(SAVED_MAX, this.#saved + 1)
  }
}
