// The beginning of a text that takes at most so many tokens, cut between code points and marked as cut. Used wherever
// words of any length must fit a share of a prompt.
import type { TokenCounter } from './token-counter.ts'

const MARK = '…'

export function cutTo(text: string, tokensMax: number, gauge: TokenCounter): string {
  if (gauge.text(text) <= tokensMax) return text
  const codePoints = [...text]
  const cutAt = (length: number): string => codePoints.slice(0, length).join('') + MARK
  let fits = 0
  let isTooLong = codePoints.length
  while (isTooLong - fits > 1) {
    const middle = Math.floor((fits + isTooLong) / 2)
    if (gauge.text(cutAt(middle)) <= tokensMax) fits = middle
    else isTooLong = middle
  }
  return cutAt(fits)
}
