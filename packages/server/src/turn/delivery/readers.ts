// Reading a turn: its latest meta, its text from where the reader stands, what follows live, and its `done`.
// A reader only reads the log: however slow or gone it is, the turn does not notice.
import type { ChunkFrame, DoneFrame, MetaFrame } from '@mangaassist/protocol'
import type { SharedState } from '#ports/shared-state.ts'
import type { LogRecord, TurnLog } from '#ports/turn-log.ts'

/** What a reader of a turn is sent. */
export type TurnFrame = MetaFrame | ChunkFrame | DoneFrame

export async function* readFrames(
  turnLog: TurnLog,
  turn: { readonly turnId: string; readonly offset: number },
  signal: AbortSignal,
): AsyncGenerator<TurnFrame> {
  let offset = turn.offset
  for await (const batch of turnLog.follow(turn.turnId, -1, signal)) {
    // Of several metas only the last counts, so a late reader is not told the earlier ones.
    const lastMeta = batch.findLast((record) => record.kind === 'meta')
    if (lastMeta !== undefined) yield { type: 'meta', turnId: turn.turnId, ...lastMeta.meta }
    for (const record of batch) {
      if (record.kind === 'text') {
        const chunk = chunkFrom(turn.turnId, record, offset)
        if (chunk === undefined) continue
        offset = chunk.offset + chunk.text.length
        yield chunk
      } else if (record.kind === 'turn-end') {
        yield { type: 'done', turnId: turn.turnId, ...record.end }
        return
      }
    }
  }
}

/** The part of a text record that the reader does not have yet. */
function chunkFrom(
  turnId: string,
  record: Extract<LogRecord, { kind: 'text' }>,
  offset: number,
): ChunkFrame | undefined {
  const skip = Math.max(0, offset - record.offset)
  if (skip >= record.text.length) return undefined
  const { epoch, seq } = record
  return { type: 'chunk', turnId, epoch, seq, offset: record.offset + skip, text: record.text.slice(skip) }
}

/** The turn a session is busy with, if any, and those that are opened from now on. */
export async function* watchSession(
  parts: { readonly turnLog: TurnLog; readonly state: SharedState },
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<{ turnId: string; requestId: string }> {
  // Subscribed before the look, so that a turn opened in between is not missed; then it is told once.
  const opened = parts.turnLog.followSession(sessionId, signal)[Symbol.asyncIterator]()
  const next = opened.next()
  const running = await parts.state.runningTurn(sessionId)
  const first = running === undefined ? undefined : (await parts.turnLog.read(running, -1))?.[0]
  // One that is granted but whose log is not open yet is told when it opens.
  const told = first?.kind === 'start' ? running : undefined
  if (first?.kind === 'start') yield { turnId: first.start.turnId, requestId: first.start.requestId }
  for (let result = await next; result.done !== true; result = await opened.next()) {
    if (result.value.turnId !== told) yield { turnId: result.value.turnId, requestId: result.value.requestId }
  }
}
