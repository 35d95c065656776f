// What the simulator takes for a token: up to six letters of a word, or one character of any other script. Nobody's real
// tokenizer, but countable by eye; prompts, answers, quotas and `afterTokens` are all counted with it.

const TOKEN = /\s*[\p{Script=Latin}\p{N}’'-]{1,6}|\s*[^\s\p{Script=Latin}\p{N}]|\s+/gu

/** Joined they are the text again. */
export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? []
}

export function countTokens(text: string): number {
  return tokensOf(text).length
}
