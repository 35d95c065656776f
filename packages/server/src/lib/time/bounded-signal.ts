// A signal that aborts with the caller's signal or at a deadline. Disposing of it removes the timer and the listener, so
// that a long-lived signal of the caller does not collect listeners.
import type { Timers } from './timers.ts'

/** The abort reason when the deadline, not the caller, aborted the signal. */
export class Late extends Error {}

export interface BoundedSignal extends Disposable {
  readonly signal: AbortSignal
  /** Aborts it as late, for a time limit that is measured elsewhere. */
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
