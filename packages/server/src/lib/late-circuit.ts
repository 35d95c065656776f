// Spares callers the wait for somebody who keeps not answering: after a few late answers in a row calls are not made at
// all, but for one now and then that finds out whether the answers have come back.

const LATES_MAX = 3
const PAUSE_FIRST_MS = 250
const PAUSE_MAX_MS = 2000

export class LateCircuit {
  readonly #now: () => number
  #lates = 0
  #openUntil = 0
  #pauseMs = PAUSE_FIRST_MS
  #isProbing = false

  constructor(now: () => number) {
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#lates >= LATES_MAX
  }

  /** Whether a call may be made; its end is then told by one of the others. */
  enter(): boolean {
    if (!this.isOpen) return true
    if (this.#isProbing || this.#now() < this.#openUntil) return false
    this.#isProbing = true
    return true
  }

  answered(): void {
    this.#lates = 0
    this.#pauseMs = PAUSE_FIRST_MS
    this.#isProbing = false
  }

  /** It failed at once: that makes nobody wait, and says nothing of answers. */
  failed(): void {
    this.#isProbing = false
  }

  late(): void {
    // Of calls that were made before it opened.
    if (this.isOpen && !this.#isProbing) return
    this.#isProbing = false
    this.#lates += 1
    if (!this.isOpen) return
    this.#openUntil = this.#now() + this.#pauseMs
    this.#pauseMs = Math.min(PAUSE_MAX_MS, this.#pauseMs * 2)
  }
}
