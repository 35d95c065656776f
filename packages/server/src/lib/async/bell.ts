// Wakes every waiter when something has changed. A waiter checks its condition and then calls `nextRing` without an await
// in between, so it misses no ring; a ring means only "check again". All waiters share one promise.

export class Bell {
  #next: PromiseWithResolvers<void> | undefined

  ring(): void {
    this.#next?.resolve()
    this.#next = undefined
  }

  /** Rings when the signal aborts, until disposed of: one listener serves any number of waits. */
  ringOnAbort(signal: AbortSignal): Disposable {
    const ring = () => this.ring()
    signal.addEventListener('abort', ring, { once: true })
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', ring) }
  }

  /** Resolves at the next ring. */
  nextRing(): Promise<void> {
    this.#next ??= Promise.withResolvers()
    return this.#next.promise
  }
}
