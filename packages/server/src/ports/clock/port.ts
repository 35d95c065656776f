// Time as a port, so that the same code runs in real and in virtual time. Nothing outside
// `adapters/system` reads a clock or sets a timer.

export interface Clock {
  /** Milliseconds since the epoch; never less than an earlier result. */
  now(): number
  /**
   * What the machine's clock says, milliseconds since the epoch: it may be set, also back. Only for comparing with times that
   * others wrote, such as those in a token; everything else uses `now`.
   */
  machineTime(): number
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `action` once after `ms`, unless the returned timer is disposed first. */
  after(ms: number, action: () => void): Disposable
  /** Runs `action` soon, after the current work: the border of a group commit. */
  defer(action: () => void): void
}
