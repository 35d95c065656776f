// The one token estimator. Conservative weights per class of character, so that a reservation made from it
// covers the prompt; actual usage replaces it at settlement.

const WIDE = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]/u
const TOKENS_PER_WIDE = 0.96
const TOKENS_PER_ASCII = 0.29
const TOKENS_PER_OTHER = 1.6
const TOKENS_PER_MESSAGE = 4

export function estimateTokens(text: string): number {
  return Math.ceil(weighTokens(text))
}

/** The estimate before it is rounded up: what is counted piece by piece is added up in this, and rounded once. */
export function weighTokens(text: string): number {
  let tokens = 0
  for (const character of text) {
    if (character <= '\u007f') tokens += TOKENS_PER_ASCII
    else if (WIDE.test(character)) tokens += TOKENS_PER_WIDE
    else tokens += TOKENS_PER_OTHER
  }
  return tokens
}

export function estimateMessages(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + estimateTokens(message.content), 0)
}

/** How far an estimate may be off before a hold made from it no longer covers the prompt. */
const GUARD = 1.25

/** What is reserved for a prompt of so many estimated tokens. */
export function guarded(estimatedTokens: number): number {
  return Math.ceil(estimatedTokens * GUARD)
}
