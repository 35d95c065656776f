// What one reader has of an answer, held against the log whenever that is read from its start. A log that another owner
// continued can say otherwise than what was shown: then nothing more is shown, and the end is that of the reader's own text.
import { createHash } from 'node:crypto'
import type { TurnEnd } from '#domain/turn/turn-record.ts'

export interface Text {
  readonly offset: number
  readonly text: string
}

/** What a reader says that it has: so many UTF-16 units, and if it knows their hash. */
export interface HeldText {
  readonly offset: number
  readonly sha256?: string | undefined
}

export class ShownText {
  /** From the answer's start. Parts of records that are in memory anyway: joined only when they are compared. */
  #text = ''
  /** Until the log has reached what the reader says it has. */
  #claim: HeldText | undefined
  /** How far the log has been heard in this reading. */
  #heard = 0
  #isOther = false

  constructor(held: HeldText) {
    if (held.offset > 0) this.#claim = held
  }

  get length(): number {
    return this.#claim?.offset ?? this.#text.length
  }

  /** Where text has to begin, at the latest, to follow what the log said. */
  get reach(): number {
    return this.#text.length
  }

  /** Whether the log says otherwise than what the reader has. */
  get isOther(): boolean {
    return this.#isOther
  }

  /** The log is read from its start again. */
  begin(): void {
    this.#heard = 0
    if (this.#claim !== undefined) this.#text = ''
  }

  /** Takes what the log says, which must follow what it said before or repeat it; answers what the reader lacks of it. */
  take({ offset, text }: Text): string {
    this.#heard = Math.max(this.#heard, offset + text.length)
    const had = offset < this.#text.length ? this.#text.slice(offset, offset + text.length) : ''
    if (!text.startsWith(had)) this.#isOther = true
    if (this.#isOther) return ''
    const rest = text.slice(had.length)
    this.#text += rest
    return this.#claim === undefined ? rest : this.#afterClaim(this.#claim)
  }

  /** The end of the turn, or of what this reader has where the turn went another way. */
  end(end: TurnEnd): TurnEnd {
    const isUnproved = this.#claim !== undefined && this.#claim.sha256 === undefined
    if (this.#heard < this.length && !isUnproved) this.#isOther = true
    if (!this.#isOther) return end
    return {
      ...end,
      finishReason: 'interrupted',
      length: this.length,
      sha256: this.#claim?.sha256 ?? hashOf(this.#text),
    }
  }

  #afterClaim(claim: HeldText): string {
    if (this.#text.length < claim.offset) return ''
    const own = this.#text.slice(0, claim.offset)
    if (claim.sha256 !== undefined && claim.sha256 !== hashOf(own)) {
      this.#isOther = true
      return ''
    }
    this.#claim = undefined
    return this.#text.slice(claim.offset)
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
