// The offset rule as a pure reducer: with repeated or overlapping chunks, and with gaps, the text grows only by what
// directly follows it. This and the hash at the end guarantee that the text is exactly the server's.
import type { ChunkFrame, DoneFrame } from '@mangaassist/protocol'

export interface Answer {
  readonly text: string
  /** How often the server was asked to resume since the text last grew. */
  readonly asks: number
}

export interface Step {
  readonly answer: Answer
  /** The text that was appended. */
  readonly added: string
  /** There is a gap: send `resume` from the end of the text. */
  readonly ask: boolean
  readonly ended: boolean
}

export const noAnswer: Answer = { text: '', asks: 0 }

/** A server that sends `done` this often without the missing text does not have it. */
const asksMax = 5

export function receive(answer: Answer, frame: ChunkFrame | DoneFrame): Step {
  return frame.type === 'chunk' ? receiveChunk(answer, frame) : receiveDone(answer, frame)
}

function receiveChunk(answer: Answer, chunk: ChunkFrame): Step {
  const have = answer.text.length
  // One gap causes one request: otherwise each chunk that is still on its way would cause another.
  if (chunk.offset > have) return ask(answer, answer.asks === 0)
  const added = chunk.text.slice(have - chunk.offset)
  if (added === '') return { answer, added, ask: false, ended: false }
  return { answer: { text: answer.text + added, asks: 0 }, added, ask: false, ended: false }
}

function receiveDone(answer: Answer, done: DoneFrame): Step {
  const short = answer.text.length < done.length
  if (short && answer.asks < asksMax) return ask(answer, true)
  return { answer, added: '', ask: false, ended: true }
}

function ask(answer: Answer, asking: boolean): Step {
  return { answer: asking ? { ...answer, asks: answer.asks + 1 } : answer, added: '', ask: asking, ended: false }
}
