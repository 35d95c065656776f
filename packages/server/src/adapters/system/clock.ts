// The machine's clock and timers behind the Clock port. `now` never goes back, even when the machine's does.
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
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const onAbort = () => {
          timer[Symbol.dispose]()
          reject(signal?.reason)
        }
        // A long-lived signal outlives many sleeps: each takes its listener away with it.
        const timer = after(ms, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
    after,
    defer(action) {
      setImmediate(action)
    },
  }
}
