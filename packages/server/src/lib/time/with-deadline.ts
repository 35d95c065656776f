// Bounds a piece of work in time. The work is told by its signal; should it not listen, it is left behind and
// its late failure is not an unhandled one. The timer and the listener are gone when this settles.
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
    // Begun inside a promise: a throw before the first await is a failure like any other.
    new Promise<Value>((begun) => begun(work(own.signal))).then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}
