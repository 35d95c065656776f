// What a call of a model takes of a hold at most: the guarded estimate of the prompt and all that the model may say, at
// that model's price. `run-turn` narrows a hold by it, invocation raises one for a further call.
import { costMicroUsd } from '#domain/budget/money.ts'
import { add, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import type { AttemptRecord } from '#domain/turn/turn-record.ts'
import type { Estimates } from './estimates.ts'
import type { Routed, Rung } from '../turn.ts'

export function needOf(
  { estimatedInputTokens }: Pick<Routed, 'estimatedInputTokens'>,
  { maxOutputTokens, name, price }: Rung,
  estimates: Pick<Estimates, 'guarded'>,
): Amounts {
  const inputTokens = estimates.guarded(estimatedInputTokens, [name])
  return {
    inputTokens,
    outputTokens: maxOutputTokens,
    costMicroUsd: costMicroUsd(price, inputTokens, maxOutputTokens),
  }
}

/** What the calls of a turn have used, all together. */
export function usedBy(attempts: readonly AttemptRecord[]): Amounts {
  return attempts.reduce<Amounts>((sum, { usage, costMicroUsd: cost }) => {
    const { inputTokens, outputTokens } = usage
    return add(sum, { inputTokens, outputTokens, costMicroUsd: cost })
  }, NOTHING)
}
