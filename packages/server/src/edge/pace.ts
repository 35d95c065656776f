// Keeps a slow client from filling our memory: past the high-water mark nobody sends, because the log holds the
// rest; delivery goes on once the client has drained to half of it. One that makes no progress is given up.
import type { Config } from '#config.ts'
import type { Clock } from '#ports/clock.ts'

interface PaceParts {
  readonly clock: Clock
  readonly limits: Pick<Config['streaming'], 'highWaterBytes' | 'lookMs' | 'stalledLooksMax'>
  readonly bufferedBytes: () => number
  readonly onStalled: () => void
  /** Ends the waiting when the client is gone. */
  readonly signal: AbortSignal
}

const ROOM = Promise.resolve()

export class Pace {
  readonly #parts: PaceParts
  #draining: Promise<void> | undefined

  constructor(parts: PaceParts) {
    this.#parts = parts
  }

  /** Resolves when there is room for more; at once for a client that keeps up. Rejects when the client is gone. */
  room(): Promise<void> {
    const { bufferedBytes, limits } = this.#parts
    if (this.#draining === undefined && bufferedBytes() <= limits.highWaterBytes) return ROOM
    // Every reader of the connection waits for the same drain.
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drain(): Promise<void> {
    const { bufferedBytes, clock, limits, onStalled, signal } = this.#parts
    let unsent = bufferedBytes()
    let looksWithoutProgress = 0
    while (looksWithoutProgress < limits.stalledLooksMax) {
      await clock.sleep(limits.lookMs, signal)
      const unsentNow = bufferedBytes()
      if (unsentNow <= limits.highWaterBytes / 2) return
      looksWithoutProgress = unsentNow < unsent ? 0 : looksWithoutProgress + 1
      unsent = unsentNow
    }
    onStalled()
  }
}
