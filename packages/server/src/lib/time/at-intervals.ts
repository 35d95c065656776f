// Work that is done again and again, each time a while after it last ended: it never runs beside itself, and what it throws
// ends one round, not the rest.
import type { Timers } from './timers.ts'

export interface Rounds {
  readonly everyMs: number
  /** How long until the first round. Default: it begins at once. */
  readonly firstMs?: number
  /** Uniform in [0, 1): spreads rounds out, so that the nodes of a fleet do not all work at once. */
  readonly float: () => number
  readonly onError: (error: unknown) => void
}

/** Disposing of it ends the rounds; one that is under way is not followed by another. */
export function atIntervals(timers: Timers, rounds: Rounds, work: () => Promise<unknown>): Disposable {
  let stopped = false
  let timer: Disposable | undefined
  const run = async () => {
    try {
      await work()
    } catch (error) {
      rounds.onError(error)
    }
    if (!stopped) schedule(rounds.everyMs * (0.75 + rounds.float() / 2))
  }
  const schedule = (ms: number) => {
    timer = timers.after(ms, () => void run())
  }
  if (rounds.firstMs === undefined) void run()
  else schedule(rounds.firstMs)
  return {
    [Symbol.dispose]() {
      stopped = true
      timer?.[Symbol.dispose]()
    },
  }
}
