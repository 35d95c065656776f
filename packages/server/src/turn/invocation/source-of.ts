// Where words come from, as the answer tells it: the first choice is neither degraded nor doubted; below it the answer says why,
// and how sure it is.
import { STAND_IN_CONFIDENCE } from '#domain/answers/whole-answer.ts'
import type { InvocationPart, Rung } from '../turn.ts'

/** Of a vendor's model below the first choice. */
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
