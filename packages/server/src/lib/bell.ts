// Wakes those who wait for something new. Whoever waits looks first and then waits without an await in between,
// so no ring is missed; a waiter costs one entry, and it is gone when it wakes or its signal aborts.

export class Bell {
  readonly #waiting = new Set<() => void>()

  ring(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Resolves at the next ring, or when the signal aborts. */
  heard(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
