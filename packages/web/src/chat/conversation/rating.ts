// The reader's thumb for an answer as a value, and how a choice changes it. Pure: `ratings.ts` sends it, and
// `rating-view.ts` shows it.
import type { DoneFrame, FeedbackValue } from '@mangaassist/protocol'

export interface Rating {
  readonly value: FeedbackValue | null
  /** The field for a reason is open. */
  readonly asks: boolean
  readonly note?: 'thanks' | 'failed'
}

export const rated = (value: FeedbackValue | null): Rating => ({ value, asks: false })

/** Whether an answer can be rated: an automatic notice, a refusal or a promise to answer later is none. */
export function isRateable({
  text,
  finishReason,
  tier,
}: Pick<DoneFrame, 'finishReason' | 'tier'> & { readonly text: string }): boolean {
  return text !== '' && tier !== 'message' && finishReason !== 'blocked' && finishReason !== 'deferred'
}

/** The chosen thumb again takes it back. After a thumb down the reader is asked why. */
export function chosen({ value }: Rating, thumb: FeedbackValue): Rating {
  if (value === thumb) return rated(null)
  return thumb === 'down' ? { value: thumb, asks: true } : { value: thumb, asks: false, note: 'thanks' }
}
