// The machine's clock and timers behind the Clock port. `now` never goes back, and never stands still: when the machine's clock
// is set back, time continues by the monotonic clock from the last reading.
import { sleepOn } from '#lib/time/sleep.ts'
import type { Clock } from '#ports/clock/port.ts'

/** Beyond this Node's timers overflow and fire at once. */
const TIMER_MS_MAX = 2_147_483_647

export interface TimeSources {
  /** Milliseconds since the epoch; may be set, forwards and backwards. */
  readonly wallMs: () => number
  /** Milliseconds since any moment; only ever advances. */
  readonly monotonicMs: () => number
}

const MACHINE: TimeSources = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

export function systemClock({ wallMs, monotonicMs }: TimeSources = MACHINE): Clock {
  /** The last reading that the wall clock gave, and when that was. */
  let anchor = { wall: wallMs(), monotonic: monotonicMs() }

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
      const wall = wallMs()
      const monotonic = monotonicMs()
      const continued = anchor.wall + Math.floor(monotonic - anchor.monotonic)
      if (wall < continued) return continued
      anchor = { wall, monotonic }
      return wall
    },
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    after,
    defer(action) {
      setImmediate(action)
    },
  }
}
