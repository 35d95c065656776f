// What a client has of one answer, kept by the protocol's promise: chunks go where their offset says, what was shown is never
// changed, and the end has the length and the hash of all of it. Whatever breaks the promise is told as a sentence.
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

  /** Undefined: its end was never heard. */
  get endedAs(): DoneFrame['finishReason'] | undefined {
    return this.#endedAs
  }

  /** False when something before it is missing: the client is to resume. */
  chunk(chunk: ChunkFrame): boolean {
    if (chunk.offset > this.#text.length) return false
    const known = this.#text.slice(chunk.offset, chunk.offset + chunk.text.length)
    if (!chunk.text.startsWith(known)) this.#breach(`shown text of ${this.turnId} was changed at ${chunk.offset}`)
    else this.#text += chunk.text.slice(known.length)
    return true
  }

  /** False when not all of the text is here yet. */
  done({ finishReason, length, sha256 }: DoneFrame): boolean {
    if (this.#text.length < length) return false
    this.#endedAs = finishReason
    if (this.#text.length > length)
      this.#breach(`${this.turnId} ended with ${length} units, ${this.#text.length} were shown`)
    else if (createHash('sha256').update(this.#text).digest('hex') !== sha256)
      this.#breach(`${this.turnId} hashes otherwise`)
    return true
  }
}
