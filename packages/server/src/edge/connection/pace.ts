// Keeps a slow client from filling our memory: above the high-water mark nothing is sent, because the log has the rest;
// delivery continues when the client has drained to half. A client without progress is closed.
import type { Config } from '#config/config.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'

export interface Outflow {
  /** Bytes that were sent and have not left this process yet. */
  bufferedBytes(): number
  /**
   * A value that changes while a large write is leaving: `bufferedBytes` may count such a write until all of it has left,
   * and a slow phone would look like a dead one.
   */
  progressMark(): number
}

interface PaceParts {
  readonly clock: Clock
  readonly telemetry: Reports
  readonly limits: Pick<Config['streaming'], 'highWaterBytes' | 'stalledPollMs' | 'stalledPollsMax'>
  readonly outflow: Outflow
  /** Label of the metrics. */
  readonly door: 'ws' | 'sse'
  readonly onStalled: () => void
  /** Ends the wait when the client has left. */
  readonly signal: AbortSignal
}

const ROOM = Promise.resolve()

export class Pace {
  readonly #parts: PaceParts
  #draining: Promise<void> | undefined

  constructor(parts: PaceParts) {
    this.#parts = parts
  }

  /** Resolves when there is room for more; at once for a client that keeps up. Rejects when the client has left. `reader`: who waits. */
  room(reader: Pick<ReaderMeter, 'paused'>): Promise<void> {
    const { limits, outflow } = this.#parts
    if (this.#draining === undefined && outflow.bufferedBytes() <= limits.highWaterBytes) return ROOM
    // Every reader of the connection waits for the same drain.
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    return reader.paused(this.#draining)
  }

  async #drain(): Promise<void> {
    const { clock, door, limits, onStalled, outflow, signal, telemetry } = this.#parts
    telemetry.count('reader_paused_total', { door })
    const from = clock.now()
    using _paused = {
      [Symbol.dispose]: () => telemetry.observe('reader_pause_seconds', (clock.now() - from) / 1000, { door }),
    }
    let unsent = outflow.bufferedBytes()
    let mark = outflow.progressMark()
    let pollsWithoutProgress = 0
    while (pollsWithoutProgress < limits.stalledPollsMax) {
      await clock.sleep(limits.stalledPollMs, signal)
      const unsentNow = outflow.bufferedBytes()
      const markNow = outflow.progressMark()
      if (unsentNow <= limits.highWaterBytes / 2) {
        telemetry.count('reader_caught_up_total', { door })
        return
      }
      pollsWithoutProgress = unsentNow < unsent || markNow !== mark ? 0 : pollsWithoutProgress + 1
      unsent = unsentNow
      mark = markNow
    }
    telemetry.count('reader_closed_total', { door, reason: 'stalled' })
    onStalled()
  }
}

/**
 * Bytes that a TCP socket has handed to the system and the system has not sent: Node measures idleness by the same value.
 */
export function queuedBytes(socket: unknown): number {
  const handle = (socket as { _handle?: { writeQueueSize?: number } | null } | null | undefined)?._handle
  return handle?.writeQueueSize ?? 0
}
