// A signal of one's own that follows the caller's and also aborts by itself when time is up. Disposing of it takes the
// timer and the listener away, so that a long-lived caller's signal collects none.
import type { Timers } from './timers.ts'

/** Why such a signal aborted when it was not the caller. */
export class Late extends Error {}

export interface BoundedSignal extends Disposable {
  readonly signal: AbortSignal
  /** Aborts it as late, for a bound that is noticed elsewhere. */
  expire(what: string): void
}

export function boundedSignal(timers: Timers, caller: AbortSignal, ms: number): BoundedSignal {
  const own = new AbortController()
  const forward = () => own.abort(caller.reason)
  const expire = (what: string) => own.abort(new Late(what))
  caller.addEventListener('abort', forward, { once: true })
  if (caller.aborted) forward()
  const timer = timers.after(Math.max(0, ms), () => expire('the deadline came'))
  return {
    signal: own.signal,
    expire,
    [Symbol.dispose]() {
      timer[Symbol.dispose]()
      caller.removeEventListener('abort', forward)
    },
  }
}
