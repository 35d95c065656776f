// Texts that are said in one piece, and so were never cut off: what the FAQ, the cache and the message tier say, and the
// built-in responder in a model's place. When the owner of a turn was lost after such a text, the next owner only ends it.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'

const SAID_WHOLE: ReadonlySet<AnswerTier> = new Set(['faq', 'message', 'cached'])

/** Of the built-in responder in a model's place. As a rung of the ladder it streams, and is as sure as any rung. */
export const STAND_IN_CONFIDENCE = 0.5

/** How a turn with such a text ends, by what its meta says; undefined when a model spoke. */
export function finishOfWhole(meta: {
  readonly tier: AnswerTier
  readonly confidence?: number
  readonly reason?: string
}): Extract<FinishReason, 'stop' | 'deferred' | 'blocked'> | undefined {
  const isStandIn = meta.tier === 'embedded' && meta.confidence === STAND_IN_CONFIDENCE
  if (!SAID_WHOLE.has(meta.tier) && !isStandIn) return undefined
  const reasons = meta.reason?.split(' ') ?? []
  if (meta.tier === 'message' && reasons.includes('deferred')) return 'deferred'
  return meta.tier === 'message' && reasons.includes('blocked') ? 'blocked' : 'stop'
}
