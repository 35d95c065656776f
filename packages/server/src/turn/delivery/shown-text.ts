// The text that one reader has of an answer, compared with the log whenever that is read from its start. A log that another
// owner continued can differ from the shown text: then nothing more is shown, and the end is that of the reader's own text.
import { createHash } from 'node:crypto'
import type { TurnEnd } from '#domain/turn/log-records.ts'

export interface Text {
  readonly offset: number
  readonly text: string
}

/** What a reader claims to have: a number of UTF-16 units, and their hash if it knows it. */
export interface HeldText {
  readonly offset: number
  readonly sha256?: string | undefined
}

export class ShownText {
  /** From the answer's start. Parts of records that are in memory anyway, joined only for a comparison. */
  #text = ''
  /** Set until the log has reached the text that the reader claims to have. */
  #claim: HeldText | undefined
  /** How far the log was read in this pass. */
  #reached = 0
  #isOther = false

  constructor(held: HeldText) {
    if (held.offset > 0) this.#claim = held
  }

  get length(): number {
    return this.#claim?.offset ?? this.#text.length
  }

  /** The highest offset at which the next text may begin without a gap. */
  get reach(): number {
    return this.#text.length
  }

  /** Whether the log differs from the reader's text. */
  get isOther(): boolean {
    return this.#isOther
  }

  /** Begins another pass from the log's start. */
  begin(): void {
    this.#reached = 0
    if (this.#claim !== undefined) this.#text = ''
  }

  /**
   * Takes the next text of the log, which must follow or repeat the earlier text; returns the part that the reader does not
   * have.
   */
  take({ offset, text }: Text): string {
    this.#reached = Math.max(this.#reached, offset + text.length)
    const had = offset < this.#text.length ? this.#text.slice(offset, offset + text.length) : ''
    if (!text.startsWith(had)) this.#isOther = true
    if (this.#isOther) return ''
    const rest = text.slice(had.length)
    this.#text += rest
    return this.#claim === undefined ? rest : this.#afterClaim(this.#claim)
  }

  /** The end of the turn, or of the reader's own text where it differs. */
  end(end: TurnEnd): TurnEnd {
    const isUnproved = this.#claim !== undefined && this.#claim.sha256 === undefined
    if (this.#reached < this.length && !isUnproved) this.#isOther = true
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
