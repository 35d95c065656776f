// Follows what other connections ask in a conversation. A turn is known by its `accepted`; from there on it is read
// like any other. Turns that this client asked itself are left to the loops that asked them.
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
      // Again after a reconnect, it is the turn we already have.
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

/** The frame has no place for a session: a watch that fails is known by its details. */
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

/** One turn that fails does not end the watch. */
function failure(error: unknown): WatchPart['part'] {
  if (error instanceof ChatError) return { type: 'error', error }
  throw error
}
