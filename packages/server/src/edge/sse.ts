// A turn as server-sent events: `event` is the frame's type, `data` the frame, `id` the end offset of its text, so
// that `Last-Event-ID` resumes. One event waits for the last to drain: a slow reader holds up itself alone, and one
// that does not drain is dropped. Closing the response ends the reading, never the turn.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AcceptedFrame, ServerFrame } from '@mangaassist/protocol'
import type { TurnFrame } from '#app.ts'
import type { Config } from '#config.ts'
import { isoTime } from '#lib/iso-time.ts'
import type { Clock } from '#ports/clock.ts'

export interface EventStreamParts {
  readonly response: ServerResponse
  readonly clock: Clock
  readonly streaming: Config['streaming']
  /** What to tell the client when reading fails. */
  readonly errorFrame: (error: unknown) => ServerFrame
}

function formatEvent(frame: ServerFrame): string {
  const id = frame.type === 'chunk' ? `id: ${frame.offset + frame.text.length}\n` : ''
  return `event: ${frame.type}\n${id}data: ${JSON.stringify(frame)}\n\n`
}

/** The offset that a reconnecting client has reached: what it says it saw last counts before what the URL says. */
export function resumeOffset(lastEventId: string | string[] | undefined, offset: number | undefined): number {
  if (typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  return offset ?? 0
}

export class EventStream {
  readonly #parts: EventStreamParts
  readonly #closed = new AbortController()
  #heartbeat: Disposable
  #sentAt: number

  /** Takes over a response whose head has been written. */
  constructor(parts: EventStreamParts) {
    this.#parts = parts
    parts.response.once('close', () => this.#close())
    this.#sentAt = parts.clock.now()
    this.#heartbeat = parts.clock.after(parts.streaming.heartbeatMs, () => this.#beat())
    if (parts.response.destroyed) this.#close()
  }

  /** Aborts when the client is gone. */
  get signal(): AbortSignal {
    return this.#closed.signal
  }

  /** Sends everything and ends the response. Never throws: what fails is told in the stream. */
  async send(
    accepted: AcceptedFrame | undefined,
    read: (signal: AbortSignal) => Promise<AsyncIterable<TurnFrame>>,
  ): Promise<void> {
    try {
      if (accepted !== undefined) await this.#write(accepted)
      let last: ServerFrame | undefined
      for await (const frame of await read(this.signal)) {
        if (this.signal.aborted) return
        await this.#write(frame)
        last = frame
      }
      if (last?.type !== 'done') throw new Error('a turn was read to its end without being told how it ended')
    } catch (error) {
      if (!this.signal.aborted) this.#parts.response.write(formatEvent(this.#parts.errorFrame(error)))
    } finally {
      this.#parts.response.end()
      this.#heartbeat[Symbol.dispose]()
    }
  }

  async #write(frame: ServerFrame): Promise<void> {
    const { clock, response, streaming } = this.#parts
    this.#sentAt = clock.now()
    if (response.write(formatEvent(frame))) return
    using _stalled = clock.after(streaming.lookMs * streaming.stalledLooksMax, () => response.destroy())
    await once(response, 'drain', { signal: this.signal })
  }

  /** By its own timer, not by the loop that waits for the turn. */
  #beat(): void {
    const { clock, response, streaming } = this.#parts
    const silentMs = clock.now() - this.#sentAt
    if (silentMs >= streaming.heartbeatMs && !response.writableNeedDrain) {
      response.write(formatEvent({ type: 'heartbeat', at: isoTime(clock.now()) }))
      this.#sentAt = clock.now()
    }
    const nextMs = Math.max(streaming.heartbeatMs - (clock.now() - this.#sentAt), streaming.lookMs)
    this.#heartbeat = clock.after(nextMs, () => this.#beat())
  }

  #close(): void {
    this.#heartbeat[Symbol.dispose]()
    this.#closed.abort()
  }
}
