// The source of a text, as the answer names it: the first choice is not degraded; below it the answer has the reason and a
// confidence.
import { STAND_IN_CONFIDENCE } from '#domain/answers/whole-answer.ts'
import type { InvocationPart, Rung } from '../turn.ts'

/** Confidence of a vendor's model below the first choice. */
const LOWER_MODEL_CONFIDENCE = 0.7

export function sourceOf({
  rung,
  index,
  reason,
}: {
  readonly rung: Rung
  readonly index: number
  readonly reason: string
}): Extract<InvocationPart, { readonly type: 'source' }> {
  const source = { type: 'source', tier: rung.tier, model: rung.model.id } as const
  if (index === 0) return { ...source, degraded: false, confidence: 1 }
  const confidence = rung.tier === 'embedded' ? STAND_IN_CONFIDENCE : LOWER_MODEL_CONFIDENCE
  return { ...source, degraded: true, confidence, reason }
}
