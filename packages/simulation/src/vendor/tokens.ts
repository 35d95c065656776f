// The simulator's tokens: up to six letters of a word, or one character of any other script. Not a real tokenizer, but
// countable by eye; prompts, answers, quotas and `afterTokens` all use it.

const TOKEN = /\s*[\p{Script=Latin}\p{N}’'-]{1,6}|\s*[^\s\p{Script=Latin}\p{N}]|\s+/gu

/** The tokens join to the same text. */
export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? []
}

export function countTokens(text: string): number {
  return tokensOf(text).length
}
