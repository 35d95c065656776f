// Cuts a text to at most `tokensMax` tokens, between code points and with a mark at the end. Used wherever text of any length
// must fit a share of a prompt.
import type { TokenCounter } from './token-counter.ts'

const MARK = '…'

export function cutTo(text: string, tokensMax: number, counter: TokenCounter): string {
  if (counter.text(text) <= tokensMax) return text
  const codePoints = [...text]
  const cutAt = (length: number): string => codePoints.slice(0, length).join('') + MARK
  let fits = 0
  let isTooLong = codePoints.length
  while (isTooLong - fits > 1) {
    const middle = Math.floor((fits + isTooLong) / 2)
    if (counter.text(cutAt(middle)) <= tokensMax) fits = middle
    else isTooLong = middle
  }
  return cutAt(fits)
}
