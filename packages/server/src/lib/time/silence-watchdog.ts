// Reports when an expected sign of life does not come in time. One timer, re-armed lazily: a timer per token would cost
// more than the token. Input that has arrived while this process was too busy to read it is not silence.
import { fairTimers } from './fair-timers.ts'
import type { FairClock } from './fair-timers.ts'

export interface SilenceWatchdog extends Disposable {
  /** Expects the next sign of life within `ms` from now; this replaces the previous expectation. */
  expectWithin(ms: number): void
}

export function silenceWatchdog(clock: FairClock, onSilence: () => void): SilenceWatchdog {
  const { after } = fairTimers({ clock })
  let deadline = Number.POSITIVE_INFINITY
  let timer: Disposable | undefined
  const check = () => {
    const left = deadline - clock.now()
    if (left <= 0) onSilence()
    else timer = after(left, check)
  }
  return {
    expectWithin(ms) {
      const due = clock.now() + ms
      const sooner = due < deadline
      deadline = due
      if (timer === undefined || sooner) {
        timer?.[Symbol.dispose]()
        timer = after(ms, check)
      }
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}
