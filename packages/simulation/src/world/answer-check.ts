// The part of one answer that a client has, checked against the protocol: a chunk is placed at its offset, shown text
// never changes, and the end has the length and hash of the whole. Every violation is reported as a sentence.
import { createHash } from 'node:crypto'
import type { DoneFrame, ServerFrame } from '@mangaassist/protocol'

type ChunkFrame = Extract<ServerFrame, { type: 'chunk' }>

export class AnswerCheck {
  readonly turnId: string
  readonly #breach: (what: string) => void
  #text = ''
  #endedAs: DoneFrame['finishReason'] | undefined

  constructor(turnId: string, breach: (what: string) => void) {
    this.turnId = turnId
    this.#breach = breach
  }

  get text(): string {
    return this.#text
  }

  /** Undefined: the client never received the end. */
  get endedAs(): DoneFrame['finishReason'] | undefined {
    return this.#endedAs
  }

  /** Returns false when text before it is missing: the client must resume. */
  chunk(chunk: ChunkFrame): boolean {
    if (chunk.offset > this.#text.length) return false
    const known = this.#text.slice(chunk.offset, chunk.offset + chunk.text.length)
    if (!chunk.text.startsWith(known)) this.#breach(`shown text of ${this.turnId} was changed at ${chunk.offset}`)
    else this.#text += chunk.text.slice(known.length)
    return true
  }

  /** Returns false when text is still missing. */
  done({ finishReason, length, sha256 }: DoneFrame): boolean {
    if (this.#text.length < length) return false
    this.#endedAs = finishReason
    if (this.#text.length > length)
      this.#breach(`${this.turnId} ended with ${length} units, ${this.#text.length} were shown`)
    else if (createHash('sha256').update(this.#text).digest('hex') !== sha256)
      this.#breach(`${this.turnId} has a different hash`)
    return true
  }
}
