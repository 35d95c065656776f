// Money is integer micro-dollars. A price is micro-dollars per million tokens, so a cost is one exact integer
// product, rounded up once per attempt.

export interface Price {
  /** Micro-dollars per million input tokens: 3.00 USD is 3_000_000. */
  readonly inputMicroUsdPerMillion: number
  readonly outputMicroUsdPerMillion: number
}

export const FREE: Price = { inputMicroUsdPerMillion: 0, outputMicroUsdPerMillion: 0 }

export const isFree = (price: Price): boolean =>
  price.inputMicroUsdPerMillion === 0 && price.outputMicroUsdPerMillion === 0

const PER_MILLION = 1_000_000

export function costMicroUsd(price: Price, inputTokens: number, outputTokens: number): number {
  const exact = inputTokens * price.inputMicroUsdPerMillion + outputTokens * price.outputMicroUsdPerMillion
  return Math.ceil(exact / PER_MILLION)
}

/** How many output tokens the budget buys after the input is paid; Infinity when output is free. */
export function outputTokensAffordable(price: Price, inputTokens: number, budgetMicroUsd: number): number {
  const left = budgetMicroUsd * PER_MILLION - inputTokens * price.inputMicroUsdPerMillion
  if (left < 0) return 0
  if (price.outputMicroUsdPerMillion === 0) return Number.POSITIVE_INFINITY
  return Math.floor(left / price.outputMicroUsdPerMillion)
}
