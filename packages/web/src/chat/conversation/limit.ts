// What holds questions back: a refusal that ends by itself. The question is in the field again; this counts down to when it
// can be sent. A question is never sent by itself: the shopper taps.
import type { Refusal } from './answer-failure.ts'

export interface Limit extends Refusal {
  /** Undefined when waiting does not help; 0 when the question can be sent. */
  readonly secondsLeft: number | undefined
  /** When it can be sent, in milliseconds since 1970. */
  readonly untilMs: number | undefined
}

export interface LimitKeeper {
  readonly limit: Limit | undefined
  /** While true, the server would refuse a question. */
  readonly isHeld: boolean
  set(refusal: Refusal): void
  clear(): void
  close(): void
}

/** A quota's wait may be hours: sending is possible meanwhile, because what needs no model is answered all the same. */
export const heldMaxMs = 60_000
const tickMs = 1000

export function createLimitKeeper(changed: () => void, nowMs: () => number = Date.now): LimitKeeper {
  let refusal: Refusal | undefined
  let sinceMs = 0
  let ticker: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(ticker)
    ticker = undefined
  }

  function leftMs(): number | undefined {
    if (refusal?.retryAfterMs === undefined) return undefined
    // A clock that was set back must not make the wait longer.
    return Math.min(refusal.retryAfterMs, Math.max(0, sinceMs + refusal.retryAfterMs - nowMs()))
  }

  function tick(): void {
    if ((leftMs() ?? 0) === 0) stop()
    changed()
  }

  return {
    get limit() {
      const left = leftMs()
      if (refusal === undefined) return undefined
      const secondsLeft = left === undefined ? undefined : Math.ceil(left / 1000)
      const untilMs = refusal.retryAfterMs === undefined ? undefined : sinceMs + refusal.retryAfterMs
      return { ...refusal, secondsLeft, untilMs }
    },
    get isHeld() {
      return (leftMs() ?? 0) > 0 && (refusal?.retryAfterMs ?? 0) <= heldMaxMs
    },
    set(next) {
      stop()
      refusal = next
      sinceMs = nowMs()
      if (next.retryAfterMs !== undefined) ticker = setInterval(tick, tickMs)
      changed()
    },
    clear() {
      stop()
      refusal = undefined
    },
    close: stop,
  }
}
