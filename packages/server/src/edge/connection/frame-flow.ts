// How fast one connection may send frames. Beyond its rate frames wait and nothing more is read from the socket; a client
// that has already sent far more is closed, and so is one that keeps sending invalid frames.
import type { Rate } from '#lib/rates/gcra.ts'
import { gcra } from '#lib/rates/gcra.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface Inflow {
  /** Stops reading from the client. */
  pause(): void
  resume(): void
  /** Drops received frames that were not handled yet, and reads nothing more. */
  ignore(): void
}

interface FrameFlowParts {
  readonly clock: Clock
  readonly rate: Rate
  readonly inflow: Inflow
  /** Charges the client's network: returns how long to wait, or 0. */
  readonly spend: () => number
  /** The client sends too much, or too many invalid frames. */
  readonly onExcess: (why: 'too-many-frames' | 'too-many-invalid-frames') => void
}

/** Limit of waiting frames: those that arrived in one piece with the first excess frame. */
const WAITING_MAX = 60
/** An old client that sends something unknown now and then stays connected. */
const INVALID_RATE = { perSecond: 0.1, burst: 10 }

export class FrameFlow {
  readonly #parts: FrameFlowParts
  readonly #waiting: (() => void)[] = []
  #arrivalAt: number | undefined
  #invalidAt: number | undefined
  #timer: Disposable | undefined

  constructor(parts: FrameFlowParts) {
    this.#parts = parts
  }

  /** Handles a frame now, or when the rate allows it. */
  admit(handle: () => void): void {
    if (this.#waiting.length >= WAITING_MAX) return this.#parts.onExcess('too-many-frames')
    const waitMs = this.#waiting.length > 0 ? undefined : this.#take()
    if (waitMs === 0) return handle()
    this.#waiting.push(handle)
    if (waitMs === undefined) return
    this.#parts.inflow.pause()
    this.#arm(waitMs)
  }

  /** Counts an invalid frame. */
  noteInvalid(): void {
    const taken = gcra(INVALID_RATE, this.#invalidAt, this.#parts.clock.now())
    if (taken.allowed) this.#invalidAt = taken.arrivalAt
    else this.#parts.onExcess('too-many-invalid-frames')
  }

  end(): void {
    this.#timer?.[Symbol.dispose]()
    this.#waiting.length = 0
  }

  #take(): number {
    const { clock, rate, spend } = this.#parts
    const taken = gcra(rate, this.#arrivalAt, clock.now())
    if (!taken.allowed) return taken.retryAfterMs
    const waitMs = spend()
    if (waitMs === 0) this.#arrivalAt = taken.arrivalAt
    return waitMs
  }

  #arm(waitMs: number): void {
    this.#timer = this.#parts.clock.after(waitMs, () => this.#handleWaiting())
  }

  #handleWaiting(): void {
    while (this.#waiting.length > 0) {
      const waitMs = this.#take()
      if (waitMs > 0) return this.#arm(waitMs)
      this.#waiting.shift()?.()
    }
    this.#parts.inflow.resume()
  }
}
