// Notices when something expected does not come in time. One timer, re-armed lazily: a timer per token would cost
// more than the token. What has arrived while this process was too busy to read it is no silence.
import { fairTimers } from './fair-timers.ts'
import type { FairClock } from './fair-timers.ts'

export interface SilenceWatchdog extends Disposable {
  /** The next sign of life is due within `ms` from now; this replaces what was expected before. */
  expectWithin(ms: number): void
}

export function silenceWatchdog(clock: FairClock, onSilence: () => void): SilenceWatchdog {
  const { after } = fairTimers({ clock })
  let deadline = Number.POSITIVE_INFINITY
  let timer: Disposable | undefined
  const look = () => {
    const left = deadline - clock.now()
    if (left <= 0) onSilence()
    else timer = after(left, look)
  }
  return {
    expectWithin(ms) {
      const due = clock.now() + ms
      const sooner = due < deadline
      deadline = due
      if (timer === undefined || sooner) {
        timer?.[Symbol.dispose]()
        timer = after(ms, look)
      }
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}
