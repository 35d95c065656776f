// Gives a piece of work a deadline. The work's signal aborts at the deadline; if the work ignores it, the caller stops
// waiting, and a later failure is not an unhandled rejection. The timer and the listener are removed when this settles.
import type { Timers } from './timers.ts'

export const LATE = Symbol('late')

export function withDeadline<Value>(
  timers: Timers,
  limit: { readonly ms: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof LATE> {
  const own = new AbortController()
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      timer[Symbol.dispose]()
      limit.signal.removeEventListener('abort', giveUp)
      finish()
    }
    const giveUp = () => {
      own.abort(limit.signal.reason)
      settle(() => resolve(LATE))
    }
    const timer = timers.after(Math.max(0, limit.ms), giveUp)
    if (limit.signal.aborted) return giveUp()
    limit.signal.addEventListener('abort', giveUp, { once: true })
    // Started inside a promise, so that a synchronous throw is a rejection like any other.
    new Promise<Value>((begun) => begun(work(own.signal))).then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}
