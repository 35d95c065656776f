// Texts that are said in one piece, and so were never cut off: what the FAQ, the cache and the message tier say. Whoever goes on
// with a turn whose owner was lost after such a text has only to end it, as it was meant.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'

const SAID_WHOLE: ReadonlySet<AnswerTier> = new Set(['faq', 'message', 'cached'])

/** How a turn with such a text ends, by what its meta says; undefined when a model spoke. */
export function finishOfWhole(meta: {
  readonly tier: AnswerTier
  readonly reason?: string
}): Extract<FinishReason, 'stop' | 'deferred' | 'blocked'> | undefined {
  if (!SAID_WHOLE.has(meta.tier)) return undefined
  const reasons = meta.reason?.split(' ') ?? []
  if (meta.tier === 'message' && reasons.includes('deferred')) return 'deferred'
  return meta.tier === 'message' && reasons.includes('blocked') ? 'blocked' : 'stop'
}
