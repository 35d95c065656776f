// What a call of a model takes of a hold at most: the guarded estimate of the prompt and all that the model may say, at
// that model's price. `run-turn` narrows a hold by it, invocation raises one for a further call.
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { AttemptRecord } from '#domain/turn/turn-record.ts'
import { costMicroUsd } from './money.ts'
import type { Price } from './money.ts'
import { add, NOTHING } from './quota.ts'
import type { Amounts } from './quota.ts'

interface AskedModel {
  readonly name: string
  readonly price: Price
  readonly maxOutputTokens: number
}

export function needOf(
  { estimatedInputTokens }: { readonly estimatedInputTokens: number },
  { maxOutputTokens, name, price }: AskedModel,
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
