// Converts the frames of one turn to parts: applies the offset rule, requests gaps, verifies the end. A text whose hash
// differs is read once more from its beginning. Shared by `ask`, `resume` and `watch`.
import type { DoneFrame, ResumeFrame, ServerFrame } from '@mangaassist/protocol'
import { noAnswer, receive } from './answer.ts'
import { ChatError } from './chat-error.ts'
import type { Connection } from './connection.ts'
import { sha256Hex, sha256HexNow } from './sha256.ts'
import type { ChatPart } from './types.ts'

export interface TurnReader {
  readonly turnId: string
  /** The frame that continues the turn after a loss. */
  resumption(): ResumeFrame
  /** The `done` part is the last one. An `error` frame throws. */
  read(frame: ServerFrame): Promise<ChatPart | undefined>
}

/**
 * `from`: the caller has the text up to this offset. It is read again nevertheless, to verify the hash of the whole.
 */
export function createTurnReader(connection: Connection, turnId: string, from = 0): TurnReader {
  let answer = noAnswer
  /** The length of the text that the caller has: nothing before it is yielded again. */
  let given = from
  let readAgain = false

  function resumption(): ResumeFrame {
    const { text } = answer
    // With the hash the server can tell whether the rest of its text continues the text that we have.
    return { type: 'resume', turnId, offset: text.length, ...(text === '' ? {} : { sha256: sha256HexNow(text) }) }
  }

  async function read(frame: ServerFrame): Promise<ChatPart | undefined> {
    switch (frame.type) {
      case 'meta':
        return { type: 'meta', meta: frame }
      case 'queued':
        return { type: 'queued', turnId, position: frame.position, etaMs: frame.etaMs }
      case 'error':
        throw new ChatError(frame)
      case 'chunk':
      case 'done': {
        const step = receive(answer, frame)
        answer = step.answer
        // Not awaited: if the socket is lost meanwhile, `greet` sends the same request on the next one.
        if (step.ask) connection.send(resumption()).catch(() => {})
        if (step.added !== '' || step.ended) connection.progressed()
        return frame.type === 'done' && step.ended ? end(frame) : grown()
      }
      default:
        return undefined
    }
  }

  function grown(): ChatPart | undefined {
    const offset = given
    const text = answer.text.slice(offset)
    given += text.length
    return text === '' ? undefined : { type: 'text', text, offset }
  }

  async function end(done: DoneFrame): Promise<ChatPart | undefined> {
    const { text } = answer
    const verified = text.length === done.length && (await sha256Hex(text)) === done.sha256
    if (verified || readAgain) return { type: 'done', done, text, verified }
    readAgain = true
    answer = noAnswer
    connection.send(resumption()).catch(() => {})
    return undefined
  }

  return { turnId, resumption, read }
}
