// Turns the frames of one turn into parts: the offset rule applied, holes asked for, the end checked. A text that does
// not hash to what was promised is read once more from its beginning. Shared by asking, resuming and watching.
import type { DoneFrame, ResumeFrame, ServerFrame } from '@mangaassist/protocol'
import { noAnswer, receive } from './answer.ts'
import { ChatError } from './chat-error.ts'
import type { Connection } from './connection.ts'
import { sha256Hex, sha256HexNow } from './sha256.ts'
import type { ChatPart } from './types.ts'

export interface TurnReader {
  readonly turnId: string
  /** Where to go on after a loss. */
  resumption(): ResumeFrame
  /** A `done` part is the last; an `error` frame throws. */
  read(frame: ServerFrame): Promise<ChatPart | undefined>
}

/** `from`: the caller has the text up to here. It is read again all the same, or the hash could not be checked. */
export function createTurnReader(connection: Connection, turnId: string, from = 0): TurnReader {
  let answer = noAnswer
  /** What the caller has: nothing before it is given (again). */
  let given = from
  let readAgain = false

  function resumption(): ResumeFrame {
    const { text } = answer
    // The hash keeps a turn that was continued from other words from being put at the end of these.
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
        // Not awaited: on a socket that was lost meanwhile, the reader's greeting of the next one asks the same.
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
