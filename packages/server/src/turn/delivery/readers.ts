// Reads a turn: its latest meta, its text from the reader's offset, new text, and its `done`. A reader only reads the log,
// so a slow or lost reader has no effect on the turn. A reader never gets text that contradicts its own: where a lost owner
// showed text that the log does not have, the reader's end is that of its own text.
import type { ChunkFrame, DoneFrame, MetaFrame, QueuedFrame } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { Place } from '#domain/queue/fair-queue.ts'
import type { TurnMeta, TurnStart } from '#domain/turn/log-records.ts'
import { splitByEncodedBytes } from '#lib/text/graphemes.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OwnedId, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { LogRecord, TurnLog } from '#ports/turn-log/port.ts'
import { FRAME_ENVELOPE_BYTES } from './frame-envelope.ts'
import { ShownText } from './shown-text.ts'
import type { HeldText, Text } from './shown-text.ts'

/** The frames that a reader of a turn gets. */
export type TurnFrame = MetaFrame | QueuedFrame | ChunkFrame | DoneFrame

/** A turn of a session as it is opened, with the connection that opened it. */
export interface Opening {
  readonly turnId: string
  readonly requestId: string
  /** Absent when no connection opened it now. */
  readonly writer?: string
}

class GapError extends Error {}

type News = Text & Pick<LogRecord, 'epoch' | 'seq'>

export interface ReaderParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly telemetry: Telemetry
  readonly streaming: Pick<Config['streaming'], 'frameBytesMax'>
}

/** How often a read is retried from the reader's offset when the log is unavailable or moves to another owner. */
const READ_TRIES_MAX = 6
const READ_AGAIN_MS = 100

export async function* readFrames(
  parts: ReaderParts,
  turn: HeldText & { readonly turnId: string },
  signal: AbortSignal,
): AsyncGenerator<TurnFrame> {
  const shown = new ShownText(turn)
  let failures = 0
  while (!signal.aborted) {
    try {
      for await (const frame of framesFrom(parts, { turnId: turn.turnId, shown }, signal)) {
        // Only text is news: each read begins with the meta again.
        if (frame.type === 'chunk') failures = 0
        yield frame
      }
      return
    } catch (error) {
      failures += 1
      if (error instanceof GapError || failures === READ_TRIES_MAX) throw error
      parts.telemetry.count('reader_read_retried_total')
      // Wakes early when the reader leaves; then there is nothing more to read.
      await parts.clock.sleep(READ_AGAIN_MS * 2 ** failures, signal).catch(() => {})
    }
  }
}

async function* framesFrom(
  parts: ReaderParts,
  turn: { readonly turnId: string; readonly shown: ShownText },
  signal: AbortSignal,
): AsyncGenerator<TurnFrame> {
  const { turnId, shown } = turn
  const pieceBytesMax = parts.streaming.frameBytesMax - FRAME_ENVELOPE_BYTES
  shown.begin()
  for await (const batch of parts.turnLog.follow(turnId, -1, signal)) {
    const news = newsIn(parts, batch, shown)
    // Only the last of several metas counts, so a late reader does not get the earlier ones.
    const meta = lastMeta(batch)
    if (meta !== undefined && !shown.isOther) yield { type: 'meta', turnId, ...meta }
    const place = lastPlace(batch)
    if (place !== undefined && !shown.isOther) yield { type: 'queued', turnId, ...place }
    for (const { epoch, seq, ...chunk } of news) {
      let { offset } = chunk
      for (const text of splitByEncodedBytes(chunk.text, pieceBytesMax)) {
        yield { type: 'chunk', turnId, epoch, seq, offset, text }
        offset += text.length
      }
    }
    const last = batch.at(-1)
    if (last?.kind === 'turn-end') return yield { type: 'done', turnId, ...shown.end(last.end) }
  }
}

/** The text of these records that the reader does not have. */
function newsIn(parts: ReaderParts, batch: readonly LogRecord[], shown: ShownText): readonly News[] {
  const wasOther = shown.isOther
  const news: News[] = []
  for (const record of batch) {
    const chunk = textIn(record)
    if (chunk === undefined) continue
    checkContiguous(parts.telemetry, chunk, shown)
    const text = shown.take(chunk)
    const offset = shown.length - text.length
    if (text !== '') news.push({ epoch: record.epoch, seq: record.seq, offset, text })
  }
  if (shown.isOther && !wasOther) parts.telemetry.count('reader_diverged_total')
  return news
}

/** A queue position counts only while nothing follows it. */
function lastPlace(batch: readonly LogRecord[]): Place | undefined {
  const last = batch.at(-1)
  return last?.kind === 'queued' ? last.place : undefined
}

function lastMeta(batch: readonly LogRecord[]): TurnMeta | undefined {
  const last = batch.findLast((record) => metaIn(record) !== undefined)
  return last === undefined ? undefined : metaIn(last)
}

function metaIn(record: LogRecord): TurnMeta | undefined {
  if (record.kind === 'meta') return record.meta
  return record.kind === 'snapshot' ? record.snapshot.meta : undefined
}

function textIn(record: LogRecord): Text | undefined {
  if (record.kind === 'text') return record
  return record.kind === 'snapshot' ? { offset: 0, text: record.snapshot.text } : undefined
}

/** Yields the running turn of a session, if any, and those that are opened from now on. */
export async function* watchSession(
  parts: { readonly turnLog: TurnLog; readonly budgets: Budgets },
  session: OwnedId & { readonly inheritedFrom?: string },
  signal: AbortSignal,
): AsyncGenerator<Opening> {
  // Subscribed before the check, so that a turn opened in between is not missed; it is delivered once.
  const opened = parts.turnLog.followSession(session.id, signal)[Symbol.asyncIterator]()
  const next = opened.next()
  // The rejection is handled in case the check below throws; the caller's signal ends the subscription.
  next.catch(() => {})
  const running = await parts.budgets.runningTurn(session)
  const start = running === undefined ? undefined : await parts.turnLog.start(running)
  // A granted turn whose log is not open yet is delivered when it opens.
  if (start !== undefined) yield openingOf(start)
  for (let result = await next; result.done !== true; result = await opened.next()) {
    if (result.value.turnId !== start?.turnId) yield openingOf(result.value)
  }
}

function openingOf({ requestId, turnId, writer }: TurnStart): Opening {
  return { turnId, requestId, ...(writer === undefined ? {} : { writer }) }
}

/** Trims text that a reader already has, and counts it; missing text must not exist, and ends the read. */
function checkContiguous(telemetry: Telemetry, record: Text, { isOther, length, reach }: ShownText): void {
  if (isOther) return
  const trimmed = Math.min(length - record.offset, record.text.length)
  if (trimmed > 0) telemetry.observe('reader_duplicate_characters', trimmed)
  if (record.offset <= reach) return
  telemetry.count('reader_gap_total')
  throw new GapError(`the log has text at ${record.offset} for a reader at ${reach}`)
}
