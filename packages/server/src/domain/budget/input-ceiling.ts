// How many tokens one request may send to a model, and how many tokens a message may have. A long message raises the ceiling
// of its own request: it is answered without history and retrieval instead of being refused.

interface TokenShares {
  readonly inputPerRequestMax: number
  readonly systemShare: number
  readonly safetyShare: number
  readonly messageLengthMax: number
}

/** Ordinary text of any script takes less; only symbols that tokenizers split into bytes take more. */
const TOKENS_PER_CHARACTER_MAX = 2

/** The maximum tokens of a message. */
export function messageTokensMax(tokens: TokenShares): number {
  const beside = tokens.inputPerRequestMax - tokens.systemShare - tokens.safetyShare
  return Math.max(beside, tokens.messageLengthMax * TOKENS_PER_CHARACTER_MAX)
}

/** The ceiling of one request: the configured one, or the message plus the system prompt and the safety margin if that is more. */
export function inputCeiling(tokens: TokenShares, messageTokens: number): number {
  return Math.max(tokens.inputPerRequestMax, messageTokens + tokens.systemShare + tokens.safetyShare)
}
