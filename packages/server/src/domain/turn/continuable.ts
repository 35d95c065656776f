// Which answers can be continued: incomplete ones, up to a length. Each continuation carries the whole shown text, in its prompt, its
// log and the conversation, so a chain of them needs a bound besides the budget. Pure.
import type { FinishReason } from '@mangaassist/protocol'

interface EndedAnswer {
  readonly finishReason: FinishReason
  /** The length of the whole text, in UTF-16 units. */
  readonly length: number
}

/** The ends that leave an answer incomplete. */
const INCOMPLETE: ReadonlySet<FinishReason> = new Set(['stopped', 'length', 'budget', 'timeout', 'interrupted'])

export function isIncomplete(finishReason: FinishReason): boolean {
  return INCOMPLETE.has(finishReason)
}

export function isTooLongToContinue(length: number, charactersMax: number): boolean {
  return length >= charactersMax
}

/** For clients: set where an answer is incomplete and can only be asked again. */
export function continuability({ finishReason, length }: EndedAnswer, charactersMax: number): { continuable?: false } {
  return isIncomplete(finishReason) && isTooLongToContinue(length, charactersMax) ? { continuable: false } : {}
}
