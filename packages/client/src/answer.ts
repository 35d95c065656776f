// The offset rule as a pure reducer: whatever arrives twice, overlapping or after a hole, the text grows only by what
// follows what is already there. That, and the check at the end, is the delivery promise of the protocol.
import type { ChunkFrame, DoneFrame } from '@mangaassist/protocol'

export interface Answer {
  readonly text: string
  /** How often the server was asked to send on from here since the text last grew. */
  readonly asks: number
}

export interface Step {
  readonly answer: Answer
  /** What is new. */
  readonly added: string
  /** A hole was seen: ask `resume` from the text's end. */
  readonly ask: boolean
  readonly ended: boolean
}

export const noAnswer: Answer = { text: '', asks: 0 }

/** A server that says `done` this often without sending what it promised has nothing more to give. */
const asksMax = 5

export function receive(answer: Answer, frame: ChunkFrame | DoneFrame): Step {
  return frame.type === 'chunk' ? receiveChunk(answer, frame) : receiveDone(answer, frame)
}

function receiveChunk(answer: Answer, chunk: ChunkFrame): Step {
  const have = answer.text.length
  // One hole makes one request: the chunks that are still on their way behind it would otherwise each make another.
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
