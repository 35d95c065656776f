// A turn as server-sent events: `event` is the frame's type, `data` the frame, `id` the end offset of its text, so that
// `Last-Event-ID` resumes. Above the high-water mark nothing is read: a slow reader delays only itself, and one without
// progress is dropped. Closing the response ends the read, never the turn.
import type { ServerResponse } from 'node:http'
import type { ServerFrame } from '@mangaassist/protocol'
import type { FastifyReply } from 'fastify'
import type { TurnFrame } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import { Pace, queuedBytes } from '../connection/pace.ts'

export interface EventStreamParts {
  readonly response: ServerResponse
  readonly clock: Clock
  readonly telemetry: Reports
  readonly streaming: Config['streaming']
  readonly words: EventWords
  /** Counts what the caller is sent of the turn. */
  readonly meter: ReaderMeter
}

/** How frames become events; '' for a frame that is not sent. */
export interface EventWords {
  /** An exception is sent as an error, and ends the stream. */
  frame(frame: TurnFrame): string
  heartbeat(): string
  /** The event for the client when reading fails. */
  error(error: unknown): string
}

/** Takes the response over from Fastify with the head of an event stream, which is sent with the first event or a flush. */
export function takeOver(reply: FastifyReply, headers: Readonly<Record<string, string>> = {}): ServerResponse {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Asks proxies not to buffer the response.
    'x-accel-buffering': 'no',
  })
  return reply.raw
}

export function formatEvent(frame: ServerFrame): string {
  const id = frame.type === 'chunk' ? `id: ${frame.offset + frame.text.length}\n` : ''
  return `event: ${frame.type}\n${id}data: ${JSON.stringify(frame)}\n\n`
}

/** The offset of a reconnecting client: Last-Event-ID takes precedence over the URL. */
export function resumeOffset(lastEventId: string | string[] | undefined, offset: string | undefined): number {
  if (typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  return Number(offset ?? 0)
}

export class EventStream {
  readonly #parts: EventStreamParts
  readonly #closed = new AbortController()
  readonly #pace: Pace
  #heartbeat: Disposable
  #sentAt: number

  /** Takes over a response whose head was written. */
  constructor(parts: EventStreamParts) {
    this.#parts = parts
    const { clock, response, streaming, telemetry } = parts
    this.#pace = new Pace({
      clock,
      telemetry,
      limits: streaming,
      door: 'sse',
      outflow: {
        bufferedBytes: () => response.writableLength,
        progressMark: () => queuedBytes(response.socket),
      },
      onStalled: () => {
        parts.meter.ended('too-slow')
        response.destroy()
      },
      signal: this.#closed.signal,
    })
    response.once('close', () => this.#close())
    this.#sentAt = clock.now()
    this.#heartbeat = clock.after(streaming.heartbeatMs, () => this.#beat())
    if (response.destroyed) this.#close()
  }

  /** Aborts when the client has left. */
  get signal(): AbortSignal {
    return this.#closed.signal
  }

  /** Sends everything and ends the response. Never throws: failures are sent in the stream. */
  async send(opening: string, read: (signal: AbortSignal) => Promise<AsyncIterable<TurnFrame>>): Promise<void> {
    const { meter, response, words } = this.#parts
    try {
      await this.#write(opening)
      let last: TurnFrame | undefined
      for await (const frame of await read(this.signal)) {
        if (this.signal.aborted) return
        const events = words.frame(frame)
        const bytes = Buffer.byteLength(events)
        if (frame.type === 'chunk') this.#parts.telemetry.observe('delivery_frame_bytes', bytes, { door: 'sse' })
        if (bytes > 0) meter.sent(bytes)
        if (frame.type === 'done') meter.ended('complete')
        await this.#write(events)
        last = frame
      }
      if (last?.type !== 'done') throw new Error('a turn was read to its end without an end record')
    } catch (error) {
      if (!this.signal.aborted) response.write(words.error(error))
    } finally {
      meter.ended(this.signal.aborted ? 'left' : 'failed')
      response.end()
      this.#heartbeat[Symbol.dispose]()
    }
  }

  async #write(events: string): Promise<void> {
    if (events === '') return
    const { clock, meter, response } = this.#parts
    this.#sentAt = clock.now()
    response.write(events)
    await this.#pace.room(meter)
  }

  /** Called by a timer of its own: the loop that waits for the turn would send no heartbeat while it waits. */
  #beat(): void {
    const { clock, response, streaming, words } = this.#parts
    const silentMs = clock.now() - this.#sentAt
    if (silentMs >= streaming.heartbeatMs && !response.writableNeedDrain) {
      response.write(words.heartbeat())
      this.#sentAt = clock.now()
    }
    const nextMs = Math.max(streaming.heartbeatMs - (clock.now() - this.#sentAt), streaming.stalledPollMs)
    this.#heartbeat = clock.after(nextMs, () => this.#beat())
  }

  #close(): void {
    this.#heartbeat[Symbol.dispose]()
    this.#closed.abort()
  }
}
