// Reads one turn to its end over as many connections as it takes, and checks every chunk against the text so far.
import { createHash } from 'node:crypto'
import type { ChunkFrame, DoneFrame, ServerFrame } from '../../packages/protocol/src/index.ts'
import type { Line } from './connections.ts'
import type { Question, Reading, Seen } from './record.ts'

export const sleep = (ms: number) => new Promise<void>((elapsed) => setTimeout(elapsed, ms))

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const RETRY_MS_DEFAULT = 500
const RETRY_MS_MAX = 5000

export class TurnText {
  readonly #seen: Seen
  readonly #key: string
  text = ''

  constructor(seen: Seen, key: string) {
    this.#seen = seen
    this.#key = key
  }

  apply({ offset, text, turnId }: ChunkFrame): void {
    if (offset > this.text.length)
      return this.#seen.violation(`${this.#key}: a gap, text at ${offset} after ${this.text.length} units of ${turnId}`)
    const again = this.text.slice(offset, offset + text.length)
    if (!text.startsWith(again))
      this.#seen.violation(
        `${this.#key}: changed text at ${offset} of ${turnId}: ${JSON.stringify(text)} for ${JSON.stringify(again)}`,
      )
    this.text += text.slice(again.length)
  }

  /** The end of the turn for one reader; length and hash are checked here. */
  reading(done: DoneFrame, by: Reading['by']): Reading {
    const { text } = this
    if (done.length !== text.length)
      this.#seen.violation(
        `${this.#key}: ${text.length} units of ${done.length} for the reader ${by} of ${done.turnId}`,
      )
    else if (sha256(text) !== done.sha256)
      this.#seen.violation(`${this.#key}: wrong hash for the reader ${by} of ${done.turnId}`)
    return { by, text, done }
  }
}

export function retryMs(frame: Extract<ServerFrame, { type: 'error' }>): number {
  return Math.min(RETRY_MS_MAX, frame.retryAfterMs ?? RETRY_MS_DEFAULT)
}

export interface ReadParts {
  readonly seen: Seen
  readonly question: Question
  readonly turnId: string
  readonly by: Reading['by']
  /** Opens a connection that delivers the turn from this text on. */
  readonly open: (text: TurnText) => Promise<Line | undefined>
  /** A reader that has no end by then gives up. */
  readonly giveUpAt: number
}

/** Undefined when the turn did not end in time; the caller says what that means. */
export async function readToEnd({
  by,
  giveUpAt,
  open,
  question,
  seen,
  turnId,
}: ReadParts): Promise<Reading | undefined> {
  const text = new TurnText(seen, question.key)
  while (Date.now() < giveUpAt) {
    const line = await open(text)
    for (let frame = await line?.next(); frame !== undefined; frame = await line?.next()) {
      if (frame.type === 'error') {
        seen.refused(`${frame.code} to a reader`)
        if (frame.code === 'NOT_FOUND') return undefined
        await sleep(retryMs(frame))
        break
      }
      if (frame.type === 'chunk' && frame.turnId === turnId) text.apply(frame)
      if (frame.type === 'done' && frame.turnId === turnId) {
        line?.close()
        return text.reading(frame, by)
      }
    }
    if (line?.isSilent() === true) seen.counts.silent += 1
    line?.close()
    await sleep(RETRY_MS_DEFAULT)
  }
  return undefined
}
