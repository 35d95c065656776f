// The attributes of a turn's scope at its end: what answered and what it used. The tail sampler reads the flags among them.
import type { TurnOutcome, TurnStart } from '../turn/log-records.ts'
import type { SpanFields } from './span-attributes.ts'

/** `pseudonymOf`: absent where traces name no user. */
export function turnFields(
  { principal, sessionId }: Pick<TurnStart, 'principal' | 'sessionId'>,
  outcome: TurnOutcome,
  pseudonymOf: ((principalId: string) => string) | undefined,
): SpanFields {
  const { attempts, failure, finishReason, isCached, isDegraded, model, modelName, reason, tier } = outcome
  const sum = (part: 'inputTokens' | 'outputTokens') => attempts.reduce((total, { usage }) => total + usage[part], 0)
  return {
    sessionId,
    user: pseudonymOf?.(principal.id),
    finishReason,
    failure,
    reason,
    tier,
    model: modelName,
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
