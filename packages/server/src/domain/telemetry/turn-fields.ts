// The attributes of a turn's scope at its end: what answered and what it used. The tail sampler reads the flags among them.
import type { TurnOutcome } from '../turn/log-records.ts'
import type { SpanFields } from './span-attributes.ts'

export function turnFields(outcome: TurnOutcome): SpanFields {
  const { attempts, failure, finishReason, isCached, isDegraded, model, tier } = outcome
  const sum = (part: 'inputTokens' | 'outputTokens') => attempts.reduce((total, { usage }) => total + usage[part], 0)
  return {
    finishReason,
    failure,
    tier,
    modelId: model,
    isDegraded,
    isCached,
    attempts: attempts.length,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costMicroUsd: attempts.reduce((total, attempt) => total + attempt.costMicroUsd, 0),
    isEstimated: attempts.some(({ usage }) => usage.estimated),
  }
}
