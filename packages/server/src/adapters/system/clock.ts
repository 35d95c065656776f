// The machine's clock and timers behind the Clock port. `now` never goes back, even when the machine's does.
import { sleepOn } from '#lib/sleep.ts'
import type { Clock } from '#ports/clock.ts'

/** Beyond this Node's timers overflow and fire at once. */
const TIMER_MS_MAX = 2_147_483_647

export function systemClock(): Clock {
  let latest = 0

  const after = (ms: number, action: () => void): Disposable => {
    let leftMs = ms
    let timer: NodeJS.Timeout
    const arm = () => {
      const stepMs = Math.min(leftMs, TIMER_MS_MAX)
      leftMs -= stepMs
      timer = setTimeout(() => (leftMs > 0 ? arm() : action()), stepMs)
    }
    arm()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  }

  return {
    now() {
      latest = Math.max(latest, Date.now())
      return latest
    },
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    after,
    defer(action) {
      setImmediate(action)
    },
  }
}
