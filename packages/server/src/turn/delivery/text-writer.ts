// Writes a turn's answer to its log as people read it: the first text at once, then together with what arrives within
// `flushMs`, by timer, never waiting for the model's next delta. One append is in flight at a time; text that arrives
// meanwhile goes with the next. Nothing is dropped before it is in the log.
import { createHash } from 'node:crypto'
import type { Config } from '#config/config.ts'
import type { LabelsOf } from '#domain/telemetry/catalogue.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { holdBackHalfPair, splitByEncodedBytes } from '#lib/text/graphemes.ts'
import { readable } from '#lib/text/readable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Reports, Span } from '#ports/telemetry/port.ts'
import type { LogEntry, TurnLog } from '#ports/turn-log/port.ts'
import { FRAME_ENVELOPE_BYTES } from './frame-envelope.ts'

export interface TextWriter extends Disposable {
  /** Text as the model sent it. The turn's output grant bounds its total. */
  push(text: string): void
  /** Writes entries of other kinds at once, after all earlier text and in one step. */
  add(...entries: readonly LogEntry[]): void
  /** Resolves when everything so far is in the log; rejects when that is impossible. */
  settled(): Promise<void>
  /**
   * Ends the text, with `last` after it. That is written together with the next entries: a log without them does not have
   * it, so that another owner cannot take it for a part of the model's answer.
   */
  finish(last?: string): { readonly text: string; readonly sha256: string }
  /** The text so far. */
  readonly text: string
  /** Null before the first text, and when an earlier owner wrote it. */
  readonly firstWordAt: number | null
  /** Length of the text so far, in UTF-16 units. */
  readonly length: number
  /** In how many pieces it came, and in how many writes it was shown; those of an earlier owner are not counted. */
  readonly deltas: number
  readonly frames: number
}

export interface TextWriterParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly telemetry: Reports
  /** The span of delivery. Text arrives in a callback within the span of invocation, so writes are moved back to this one. */
  readonly span: Pick<Span, 'within'>
  readonly streaming: Config['streaming']
  readonly turnId: string
  readonly epoch: number
  /** Text of this answer that an earlier owner wrote to the log. */
  readonly shown: string
  /** The shown text is that of an answer which this one continues: it is written to this log first. */
  readonly isUnlogged?: boolean
  /** What answers now, as labels of metrics. */
  readonly answeredBy: () => LabelsOf<'turn_frame_interval_seconds'>
  /** Called once, when the log refuses or fails. */
  readonly onFailure: (abort: TurnAbort) => void
}

export function createTextWriter(parts: TextWriterParts): TextWriter {
  const { clock, turnLog, streaming, telemetry } = parts
  const pieceBytesMax = streaming.frameBytesMax - FRAME_ENVELOPE_BYTES
  // Stored apart: slicing the unsent piece from the whole would copy the whole for every delta, and the slice would keep it
  // in memory.
  let text = parts.shown
  let unsent = ''
  let loggedUnits = parts.isUnlogged === true ? 0 : text.length
  let held = ''
  let outbox: LogEntry[] = []
  let timer: Disposable | undefined
  let firstWordAt: number | null = null
  let spoke = false
  let deltas = 0
  let writtenDeltas = 0
  let frames = 0
  let flushedAt: number | undefined
  let pumping: Promise<void> | undefined
  let failure: { readonly error: TurnAbort } | undefined

  function flush(): void {
    timer?.[Symbol.dispose]()
    timer = undefined
    if (unsent === '') return
    toOutbox(unsent)
    unsent = ''
    measure()
    pump()
  }

  function toOutbox(added: string): void {
    for (const piece of splitByEncodedBytes(added, pieceBytesMax)) {
      outbox.push({ kind: 'text', offset: loggedUnits, text: piece })
      loggedUnits += piece.length
    }
  }

  function enqueue(last: string): void {
    if (last === '') return
    text += last
    toOutbox(last)
  }

  function measure(): void {
    const now = clock.now()
    telemetry.observe('turn_frame_deltas', deltas - writtenDeltas)
    if (flushedAt !== undefined)
      telemetry.observe('turn_frame_interval_seconds', (now - flushedAt) / 1000, parts.answeredBy())
    writtenDeltas = deltas
    frames += 1
    flushedAt = now
  }

  function pump(): void {
    if (pumping !== undefined || failure !== undefined || outbox.length === 0) return
    pumping = writeOutbox().then(
      () => {
        pumping = undefined
        // Something may have arrived since the outbox was last read.
        pump()
      },
      (cause: unknown) => {
        pumping = undefined
        // Not the model's failure: the circuit of its lane must not open because of our disk.
        const error = cause instanceof TurnAbort ? cause : new TurnAbort('log-failed', { cause })
        failure = { error }
        parts.onFailure(error)
      },
    )
  }

  async function writeOutbox(): Promise<void> {
    while (outbox.length > 0) {
      const entries = outbox
      outbox = []
      const owned = await parts.span.within(() => turnLog.append(parts.turnId, parts.epoch, entries))
      if (!owned) throw new TurnAbort('lost')
    }
  }

  if (parts.isUnlogged === true) {
    toOutbox(text)
    pump()
  }

  return {
    push(delta) {
      const { whole, held: half } = holdBackHalfPair(held + delta)
      held = half
      if (whole === '') return
      // A lone surrogate cannot be encoded; it becomes the replacement character.
      const added = readable(whole.toWellFormed())
      if (added === '') return
      text += added
      unsent += added
      deltas += 1
      if (!spoke) {
        spoke = true
        if (parts.shown === '') firstWordAt = clock.now()
        return flush()
      }
      if (isFull(unsent, streaming.flushBytes)) return flush()
      timer ??= clock.after(streaming.flushMs, flush)
    },
    add(...entries) {
      flush()
      outbox.push(...entries)
      pump()
    },
    async settled() {
      flush()
      pump()
      while (pumping !== undefined) await pumping
      if (failure !== undefined) throw failure.error
    },
    finish(last = '') {
      // A surrogate that is still held lost its other half with the rest of the text: it is dropped.
      held = ''
      flush()
      enqueue(readable(last.toWellFormed()))
      return { text, sha256: createHash('sha256').update(text).digest('hex') }
    },
    get firstWordAt() {
      return firstWordAt
    },
    get text() {
      return text
    },
    get length() {
      return text.length
    },
    get deltas() {
      return deltas
    },
    get frames() {
      return frames
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
    },
  }
}

/** A UTF-16 unit has at most three bytes in UTF-8, so short text needs no counting. */
function isFull(text: string, bytes: number): boolean {
  return text.length * 3 >= bytes && Buffer.byteLength(text) >= bytes
}
