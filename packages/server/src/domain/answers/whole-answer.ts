// Texts that are written in one piece, and so are never cut off: those of the FAQ, the cache, the message tier, and the built-in
// responder as a fallback. After a takeover the new owner of a turn with such a text only has to end it.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'

const SAID_WHOLE: ReadonlySet<AnswerTier> = new Set(['faq', 'message', 'cached'])

/** The confidence of an answer that the built-in responder gives instead of a model, as a lower rung or as a fallback. */
export const STAND_IN_CONFIDENCE = 0.5

/**
 * The finish reason of a turn with such a text, from its meta and its attempts; undefined when a model wrote the text. As a rung of
 * the ladder the built-in responder is called like a model, and may be cut off; as a fallback it has no attempt.
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
