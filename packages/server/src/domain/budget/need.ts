// The most that a model call can use of a hold: the guarded estimate of the prompt and the model's full output, at its
// price. `run-turn` narrows a hold to it, invocation extends one for a further call.
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
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

/** What the calls of a turn used of the shopper's budget: all calls except those that the shop pays for. */
export function usedBy(attempts: readonly AttemptRecord[]): Amounts {
  return attempts.reduce<Amounts>((sum, { costMicroUsd: cost, paidBy, usage }) => {
    const { inputTokens, outputTokens } = usage
    return paidBy === 'shop' ? sum : add(sum, { inputTokens, outputTokens, costMicroUsd: cost })
  }, NOTHING)
}

/** The cost of the calls that the shop pays. */
export function besideMicroUsd(attempts: readonly AttemptRecord[]): number {
  return attempts.reduce((sum, { costMicroUsd: cost, paidBy }) => sum + (paidBy === 'shop' ? cost : 0), 0)
}
