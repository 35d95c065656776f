// Time as a port, so that the same code runs in real and in virtual time. Nothing outside
// `adapters/system` reads a clock or sets a timer.

export interface Clock {
  /** Milliseconds since the epoch; never earlier than what it answered before. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `action` once after `ms`, unless the returned timer is disposed of first. */
  after(ms: number, action: () => void): Disposable
  /** Runs `action` soon, once what is already under way has had its turn: the edge of a group commit. */
  defer(action: () => void): void
}
