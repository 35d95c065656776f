// What the models of the swarm cost and take, so that charges and books are compared in money too. Prices that no sum of
// tokens gives twice: what one model used is never taken for the other's.
import type { ModelFacts } from '@mangaassist/server/domain/model/model-facts'

const TAKES = {
  contextTokensMax: 200_000,
  outputTokensMax: 4096,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude-3',
}

/** By lane. */
export const SWARM_MODELS: Readonly<Record<string, ModelFacts>> = {
  primary: { ...TAKES, price: { inputMicroUsdPerMillion: 3_000_017, outputMicroUsdPerMillion: 15_000_029 } },
  economy: { ...TAKES, price: { inputMicroUsdPerMillion: 250_007, outputMicroUsdPerMillion: 1_250_003 } },
}
