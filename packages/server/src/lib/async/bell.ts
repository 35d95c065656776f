// Wakes those who wait for something new. Whoever waits looks first and then waits without an await in between,
// so no ring is missed; a ring only says that it is worth looking again. All who wait share one promise.

export class Bell {
  #next: PromiseWithResolvers<void> | undefined

  ring(): void {
    this.#next?.resolve()
    this.#next = undefined
  }

  /** Rings when the signal aborts, until disposed of: one listener for however many waits. */
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
