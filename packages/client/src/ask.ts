// Asks a question, or resumes a turn, and yields the parts of the answer. Both loop over the connection's events and do
// not deal with reconnecting: on each new socket, `greet` sends the question or `resume` again.
import type { AcceptedFrame, ChatFrame, ErrorFrame } from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'
import type { Connection, ConnectionEvent, Greet } from './connection.ts'
import { createTurnReader } from './turn-reader.ts'
import type { TurnReader } from './turn-reader.ts'
import type { ChatInput, ChatPart } from './types.ts'

/** A question whose connection breaks this often before it is accepted may itself be the cause. */
const sendsMax = 4

export async function* ask(
  connection: Connection,
  question: ChatFrame,
  signal?: AbortSignal,
): AsyncGenerator<ChatPart> {
  const { pressure } = connection
  let reader: TurnReader | undefined
  let sends = 0
  /** How often the question was really written to a socket; on a socket where it is held, it is not. */
  let sent = 0
  /** There is a connection, and the question waits for the end of a pause. */
  let held = false
  let left = false
  const stop = (): void => {
    // If this cannot be sent either, the server stops by itself when the turn has no readers.
    if (reader !== undefined) connection.send({ type: 'stop', turnId: reader.turnId }).catch(() => {})
  }
  // After a loss the question is sent again only until it is accepted, with the same idempotency key and the count of
  // attempts: it is answered once.
  const sending = (): ChatFrame => {
    sent += 1
    return question.attempt === undefined ? question : { ...question, attempt: question.attempt + sent - 1 }
  }
  const greet: Greet = (send, post) => {
    if (reader !== undefined) return send(reader.resumption())
    if (sends >= sendsMax) throw new ChatError({ code: 'CONNECTION_LOST', message: 'The question did not arrive.' })
    sends += 1
    held = pressure.isPaused()
    if (!held) return send(sending())
    post({ type: 'held', forMs: pressure.holdMs() })
    const release = (): void => {
      // The caller no longer waits: the question is not sent.
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
    await pressure.waitToSend(signal)
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
    // The first `stop` may have been written to a dead socket; sending it twice does no harm.
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
  // A key that we make is new; whether a caller's key was sent before, only the caller knows.
  const attempt = input.attempt ?? (input.idempotencyKey === undefined ? 1 : undefined)
  // Undefined fields are not sent: `JSON.stringify` omits them.
  return { ...asked, type: 'chat', requestId, idempotencyKey, attempt } as ChatFrame
}

function acceptance(event: ConnectionEvent, requestId: string): AcceptedFrame | undefined {
  if (event.type === 'error' && concerns(event, requestId)) throw new ChatError(event)
  return event.type === 'accepted' && event.requestId === requestId ? event : undefined
}

/** An error without any id answers a frame that the server could not parse: it is ours if we still wait. */
function concerns({ requestId, turnId, details }: ErrorFrame, ours: string): boolean {
  const namesNothing = requestId === undefined && turnId === undefined && details?.['sessionId'] === undefined
  return requestId === ours || namesNothing
}

async function readOwn(reader: TurnReader, event: ConnectionEvent): Promise<ChatPart | undefined> {
  if (!('turnId' in event) || event.turnId !== reader.turnId) return undefined
  return reader.read(event)
}
