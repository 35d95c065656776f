// How many tokens one question may send to a model, and how long a message may be for that. A long message raises the
// ceiling of its own request: it is answered without history and retrieval rather than refused.

interface TokenShares {
  readonly inputPerRequestMax: number
  readonly systemShare: number
  readonly safetyShare: number
  readonly messageLengthMax: number
}

/** Ordinary text of any script takes less; what takes more is symbols that tokenizers spell byte by byte. */
const TOKENS_PER_CHARACTER_MAX = 2

/** The most tokens that a message may take. */
export function messageTokensMax(tokens: TokenShares): number {
  const beside = tokens.inputPerRequestMax - tokens.systemShare - tokens.safetyShare
  return Math.max(beside, tokens.messageLengthMax * TOKENS_PER_CHARACTER_MAX)
}

/** Of one request: the configured ceiling, or the message with what cannot make room for it, whichever is more. */
export function inputCeiling(tokens: TokenShares, messageTokens: number): number {
  return Math.max(tokens.inputPerRequestMax, messageTokens + tokens.systemShare + tokens.safetyShare)
}
