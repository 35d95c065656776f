// Counts readers, and measures how long there has been none. A reader counts until it is disposed of or its signal
// aborts, whichever is first. Used by turn logs for the readers of a turn.

export class Attendance {
  readonly #now: () => number
  #present = 0
  #emptySince: number

  constructor(now: () => number, emptySince: number = now()) {
    this.#now = now
    this.#emptySince = emptySince
  }

  attend(signal: AbortSignal): Disposable {
    if (signal.aborted) return { [Symbol.dispose]: () => {} }
    let isPresent = true
    const leave = () => {
      if (!isPresent) return
      isPresent = false
      signal.removeEventListener('abort', leave)
      this.#present -= 1
      this.#emptySince = this.#now()
    }
    this.#present += 1
    signal.addEventListener('abort', leave, { once: true })
    return { [Symbol.dispose]: leave }
  }

  /** 0 while there is a reader. */
  emptyMs(): number {
    return this.#present > 0 ? 0 : this.#now() - this.#emptySince
  }
}
