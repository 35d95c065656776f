// Keeps a slow client from filling our memory: past the high-water mark nobody sends, because the log holds the
// rest; delivery goes on once the client has drained to half of it. One that makes no progress is given up.
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'

export interface Outflow {
  /** What was sent and has not left this process yet. */
  bufferedBytes(): number
  /**
   * A figure that changes while a large write is leaving: `bufferedBytes` may count such a write until the whole of it
   * has left, and a slow phone would look like a dead one.
   */
  progressMark(): number
}

interface PaceParts {
  readonly clock: Clock
  readonly telemetry: Reports
  readonly limits: Pick<Config['streaming'], 'highWaterBytes' | 'stalledPollMs' | 'stalledPollsMax'>
  readonly outflow: Outflow
  /** Of the figures. */
  readonly door: 'ws' | 'sse'
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
    const { limits, outflow } = this.#parts
    if (this.#draining === undefined && outflow.bufferedBytes() <= limits.highWaterBytes) return ROOM
    // Every reader of the connection waits for the same drain.
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drain(): Promise<void> {
    const { clock, door, limits, onStalled, outflow, signal, telemetry } = this.#parts
    telemetry.count('reader_paused_total', { door })
    let unsent = outflow.bufferedBytes()
    let mark = outflow.progressMark()
    let looksWithoutProgress = 0
    while (looksWithoutProgress < limits.stalledPollsMax) {
      await clock.sleep(limits.stalledPollMs, signal)
      const unsentNow = outflow.bufferedBytes()
      const markNow = outflow.progressMark()
      if (unsentNow <= limits.highWaterBytes / 2) {
        telemetry.count('reader_caught_up_total', { door })
        return
      }
      looksWithoutProgress = unsentNow < unsent || markNow !== mark ? 0 : looksWithoutProgress + 1
      unsent = unsentNow
      mark = markNow
    }
    telemetry.count('reader_closed_total', { door, reason: 'stalled' })
    onStalled()
  }
}

/** What a TCP socket has handed to the system and the system has not sent: Node measures idleness by the same figure. */
export function queuedBytes(socket: unknown): number {
  const handle = (socket as { _handle?: { writeQueueSize?: number } | null } | null | undefined)?._handle
  return handle?.writeQueueSize ?? 0
}
