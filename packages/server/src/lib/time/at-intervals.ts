// Repeats work, each round some time after the previous one ended: two rounds never overlap, and an error ends only its own
// round.
import type { Timers } from './timers.ts'

export interface Rounds {
  readonly everyMs: number
  /** How long until the first round. Default: it starts at once. */
  readonly firstMs?: number
  /** Uniform in [0, 1): spreads the rounds, so that the nodes of a cluster do not all work at the same time. */
  readonly float: () => number
  readonly onError: (error: unknown) => void
}

/** Disposing of it stops the repetition; a running round finishes and is the last. */
export interface Repetition extends Disposable {
  /** Brings the next round forward to `ms` from now, or from the end of the round that runs. A repeat changes nothing. */
  soon(ms: number): void
}

export function atIntervals(timers: Timers, rounds: Rounds, work: () => Promise<unknown>): Repetition {
  let stopped = false
  let timer: Disposable | undefined
  let isRunning = false
  let soonMs: number | undefined
  const run = async () => {
    isRunning = true
    soonMs = undefined
    try {
      await work()
    } catch (error) {
      rounds.onError(error)
    }
    isRunning = false
    if (!stopped) schedule(soonMs ?? rounds.everyMs * (0.75 + rounds.float() / 2))
  }
  const schedule = (ms: number) => {
    timer = timers.after(ms, () => void run())
  }
  if (rounds.firstMs === undefined) void run()
  else schedule(rounds.firstMs)
  return {
    soon(ms) {
      if (stopped || soonMs !== undefined) return
      soonMs = ms
      if (isRunning) return
      timer?.[Symbol.dispose]()
      schedule(ms)
    },
    [Symbol.dispose]() {
      stopped = true
      timer?.[Symbol.dispose]()
    },
  }
}
