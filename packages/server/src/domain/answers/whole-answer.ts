// Texts that are said in one piece, and so were never cut off: what the FAQ, the cache and the message tier say, and the
// built-in responder in a model's place. When the owner of a turn was lost after such a text, the next owner only ends it.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'

const SAID_WHOLE: ReadonlySet<AnswerTier> = new Set(['faq', 'message', 'cached'])

/** Of the built-in responder in a model's place, be it as a lower rung of the ladder or below all of it. */
export const STAND_IN_CONFIDENCE = 0.5

/**
 * How a turn with such a text ends, by what its meta and its calls say; undefined when a model spoke. The built-in responder is
 * called like a model where it is a rung of the ladder, and may have been cut off there; below the ladder there is no call.
 */
export function finishOfWhole(
  meta: { readonly tier: AnswerTier; readonly reason?: string },
  attempts: readonly { readonly tier: AnswerTier }[],
): Extract<FinishReason, 'stop' | 'deferred' | 'blocked'> | undefined {
  const isStandIn = meta.tier === 'embedded' && !attempts.some(({ tier }) => tier === 'embedded')
  if (!SAID_WHOLE.has(meta.tier) && !isStandIn) return undefined
  const reasons = meta.reason?.split(' ') ?? []
  if (meta.tier === 'message' && reasons.includes('deferred')) return 'deferred'
  return meta.tier === 'message' && reasons.includes('blocked') ? 'blocked' : 'stop'
}
