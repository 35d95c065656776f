// The machine's clock and timers behind the Clock port. `now` never goes back, and never stands still: when the machine's clock
// is set back, time continues by the monotonic clock from the last reading. One that is set forward is followed after a while
// only, because what was followed cannot be taken back; a machine that was suspended is followed at once.
import { uptime } from 'node:os'
import { sleepOn } from '#lib/time/sleep.ts'
import type { Clock } from '#ports/clock/port.ts'

/** Beyond this Node's timers overflow and fire at once. */
const TIMER_MS_MAX = 2_147_483_647

/** A smaller step forward is followed at once. */
export const STEP_MS = 60_000
/** How long the machine's clock must be ahead until it is followed: most wrong settings are corrected sooner. */
export const CONFIRM_MS = 15 * 60_000

export interface TimeSources {
  /** Milliseconds since the epoch; may be set, forwards and backwards. */
  readonly wallMs: () => number
  /** Milliseconds since any moment; only ever advances. */
  readonly monotonicMs: () => number
  /** Advances also while the machine is suspended, which `monotonicMs` may not. Too slow to be read each time. */
  readonly uptimeMs: () => number
}

const MACHINE: TimeSources = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1000,
}

export function systemClock({ wallMs, monotonicMs, uptimeMs }: TimeSources = MACHINE): Clock {
  /** The last reading of the wall clock that was followed, and when that was. */
  let anchor = { wall: wallMs(), monotonic: monotonicMs() }
  /** How long the machine was up beyond what the monotonic clock counted: rises by the time that it was suspended. */
  let suspendedMs = uptimeMs() - anchor.monotonic
  /** Since when the wall clock is ahead without a suspension that explains it. */
  let aheadSince: number | undefined

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

  function isConfirmed(aheadMs: number, monotonic: number): boolean {
    if (aheadSince === undefined) {
      const suspendedNow = uptimeMs() - monotonic
      const explainedMs = suspendedNow - suspendedMs
      suspendedMs = suspendedNow
      if (aheadMs - explainedMs < STEP_MS) return true
      aheadSince = monotonic
    }
    return monotonic - aheadSince >= CONFIRM_MS
  }

  return {
    now() {
      const wall = wallMs()
      const monotonic = monotonicMs()
      const continued = anchor.wall + Math.floor(monotonic - anchor.monotonic)
      const aheadMs = wall - continued
      if (aheadMs >= STEP_MS && !isConfirmed(aheadMs, monotonic)) return continued
      aheadSince = undefined
      if (aheadMs < 0) return continued
      anchor = { wall, monotonic }
      return wall
    },
    machineTime: wallMs,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    after,
    defer(action) {
      setImmediate(action)
    },
  }
}
