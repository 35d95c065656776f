// Follows the turns of other connections in a conversation. A turn starts with its `accepted` and is then read like any
// other. Turns of this client are ignored here: their own loops read them.
import type { ErrorFrame } from '@mangaassist/protocol'
import { acceptedPart } from './ask.ts'
import { ChatError } from './chat-error.ts'
import type { Connection, ConnectionEvent, Greet } from './connection.ts'
import { createTurnReader } from './turn-reader.ts'
import type { TurnReader } from './turn-reader.ts'
import type { WatchPart } from './types.ts'

export interface WatchOptions {
  readonly connection: Connection
  readonly sessionId: string
  readonly isOwn: (requestId: string) => boolean
  readonly signal: AbortSignal | undefined
}

export async function* watch({ connection, sessionId, isOwn, signal }: WatchOptions): AsyncGenerator<WatchPart> {
  const readers = new Map<string, TurnReader>()
  const greet: Greet = (send) => {
    send({ type: 'watch', sessionId })
    for (const reader of readers.values()) send(reader.resumption())
  }
  for await (const event of connection.events(greet, signal)) {
    if (event.type === 'aborted') return
    if (event.type === 'accepted' && event.sessionId === sessionId && !isOwn(event.requestId)) {
      // After a reconnect the server sends `accepted` again for a turn that we already follow.
      if (readers.has(event.turnId)) continue
      readers.set(event.turnId, createTurnReader(connection, event.turnId))
      yield { turnId: event.turnId, part: acceptedPart(event) }
    } else if (event.type === 'error' && isWatchError(event, sessionId)) {
      throw new ChatError(event)
    } else {
      const watched = await readWatched(readers, event)
      if (watched !== undefined) yield watched
    }
  }
}

/** An error frame has no field for a session: the details of a failed watch have it. */
function isWatchError({ requestId, turnId, details }: ErrorFrame, sessionId: string): boolean {
  return requestId === undefined && turnId === undefined && details?.['sessionId'] === sessionId
}

async function readWatched(readers: Map<string, TurnReader>, frame: ConnectionEvent): Promise<WatchPart | undefined> {
  if (!('turnId' in frame) || frame.turnId === undefined) return undefined
  const { turnId } = frame
  const reader = readers.get(turnId)
  if (reader === undefined) return undefined
  const part = await reader.read(frame).catch(failure)
  if (part?.type === 'done' || part?.type === 'error') readers.delete(turnId)
  return part === undefined ? undefined : { turnId, part }
}

/** A turn that fails does not end the watch. */
function failure(error: unknown): WatchPart['part'] {
  if (error instanceof ChatError) return { type: 'error', error }
  throw error
}
