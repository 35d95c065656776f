// Prices and limits of the swarm's models, so that charges and ledger rows are also compared in money. No two token
// sums give the same price, so the usage of one model is never mistaken for the other's.
import type { ModelFacts } from '@mangaassist/server/domain/model/model-facts'

const LIMITS = {
  contextTokensMax: 200_000,
  outputTokensMax: 4096,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude-3',
}

/** Model facts by lane. */
export const SWARM_MODELS: Readonly<Record<string, ModelFacts>> = {
  primary: { ...LIMITS, price: { inputMicroUsdPerMillion: 3_000_017, outputMicroUsdPerMillion: 15_000_029 } },
  economy: { ...LIMITS, price: { inputMicroUsdPerMillion: 250_007, outputMicroUsdPerMillion: 1_250_003 } },
}
