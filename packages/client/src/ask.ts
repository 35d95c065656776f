// A question and its answer, and an answer asked for again. Both are one loop over the connection's events, which knows
// nothing of reconnecting: on each new socket the greeting says where things stand.
import type { AcceptedFrame, ChatFrame, ErrorFrame } from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'
import type { Connection, ConnectionEvent, Greet } from './connection.ts'
import { createTurnReader } from './turn-reader.ts'
import type { TurnReader } from './turn-reader.ts'
import type { ChatInput, ChatPart } from './types.ts'

/** A question that loses its connection this often before it is accepted may be what breaks it. */
const sendsMax = 4

export async function* ask(
  connection: Connection,
  question: ChatFrame,
  signal?: AbortSignal,
): AsyncGenerator<ChatPart> {
  const { pressure } = connection
  let reader: TurnReader | undefined
  let sends = 0
  /** Of these, how often it went out: while it is held it does not. */
  let sent = 0
  /** Connected, and the question waits for the end of a pause. */
  let held = false
  let left = false
  const stop = (): void => {
    // When even this cannot be sent, the server stops by itself once nobody listens.
    if (reader !== undefined) connection.send({ type: 'stop', turnId: reader.turnId }).catch(() => {})
  }
  // Sent again after a loss only while unaccepted, with its idempotency key and which sending it is: it is answered once.
  const sending = (): ChatFrame => {
    sent += 1
    return question.attempt === undefined ? question : { ...question, attempt: question.attempt + sent - 1 }
  }
  const greet: Greet = (send, tell) => {
    if (reader !== undefined) return send(reader.resumption())
    if (sends >= sendsMax) throw new ChatError({ code: 'CONNECTION_LOST', message: 'The question did not arrive.' })
    sends += 1
    held = pressure.isPaused()
    if (!held) return send(sending())
    tell({ type: 'held', forMs: pressure.holdMs() })
    const release = (): void => {
      // Held to the end when nobody waits for it any more.
      if (left || signal?.aborted) return
      held = false
      send(sending())
    }
    pressure.pauseOver().then(release, () => {})
  }
  signal?.addEventListener('abort', stop)
  try {
    const forMs = pressure.holdMs()
    if (forMs > 0) yield { type: 'held', forMs }
    await pressure.turn(signal)
    for await (const event of connection.events(greet, signal)) {
      if (reader === undefined) {
        if (event.type === 'held') yield event
        if (held) signal?.throwIfAborted()
        const accepted = acceptance(event, question.requestId)
        if (accepted === undefined) continue
        reader = createTurnReader(connection, accepted.turnId)
        connection.progressed()
        if (signal?.aborted) stop()
        yield acceptedPart(accepted)
      } else {
        const part = await readOwn(reader, event)
        if (part !== undefined) yield part
        if (part?.type === 'done') return
      }
    }
  } catch (error) {
    // The stop may have gone into a socket that was already dead; said twice, it is still one stop.
    if (signal?.aborted) stop()
    throw error
  } finally {
    left = true
    signal?.removeEventListener('abort', stop)
  }
}

export async function* resume(connection: Connection, turnId: string, from: number): AsyncGenerator<ChatPart> {
  const reader = createTurnReader(connection, turnId, from)
  for await (const event of connection.events((send) => send(reader.resumption()))) {
    const part = await readOwn(reader, event)
    if (part !== undefined) yield part
    if (part?.type === 'done') return
  }
}

export function acceptedPart({ turnId, sessionId, duplicate }: AcceptedFrame): ChatPart {
  return { type: 'accepted', turnId, sessionId, duplicate: duplicate ?? false }
}

export function chatFrame(requestId: string, input: ChatInput): ChatFrame {
  const { signal: _, idempotencyKey = requestId, ...asked } = input
  // A key of our own is new; of a caller's key only the caller knows whether it was sent before.
  const attempt = input.attempt ?? (input.idempotencyKey === undefined ? 1 : undefined)
  // What is undefined does not reach the wire: JSON leaves it out.
  return { ...asked, type: 'chat', requestId, idempotencyKey, attempt } as ChatFrame
}

function acceptance(event: ConnectionEvent, requestId: string): AcceptedFrame | undefined {
  if (event.type === 'error' && concerns(event, requestId)) throw new ChatError(event)
  return event.type === 'accepted' && event.requestId === requestId ? event : undefined
}

/** An error that names nothing answers something the server could not read: it is ours if we are still waiting. */
function concerns({ requestId, turnId, details }: ErrorFrame, ours: string): boolean {
  const namesNothing = requestId === undefined && turnId === undefined && details?.['sessionId'] === undefined
  return requestId === ours || namesNothing
}

async function readOwn(reader: TurnReader, event: ConnectionEvent): Promise<ChatPart | undefined> {
  if (!('turnId' in event) || event.turnId !== reader.turnId) return undefined
  return reader.read(event)
}
