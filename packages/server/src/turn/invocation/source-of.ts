// The source of a text, as the answer names it: the first choice is not degraded, nor is a model above it; below it the
// answer has the reason and a confidence.
import { STAND_IN_CONFIDENCE } from '#domain/answers/whole-answer.ts'
import type { InvocationPart, Rung } from '../turn.ts'

/** Confidence of a vendor's model below the first choice. */
const LOWER_MODEL_CONFIDENCE = 0.7

export function sourceOf({
  rung,
  isBelow,
  reason,
}: {
  readonly rung: Rung
  readonly isBelow: boolean
  readonly reason: string
}): Extract<InvocationPart, { readonly type: 'source' }> {
  const source = { type: 'source', tier: rung.tier, model: rung.model.id, name: rung.name } as const
  if (!isBelow) return { ...source, degraded: false, confidence: 1 }
  const confidence = rung.tier === 'embedded' ? STAND_IN_CONFIDENCE : LOWER_MODEL_CONFIDENCE
  return { ...source, degraded: true, confidence, reason }
}
