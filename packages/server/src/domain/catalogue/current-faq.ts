// The FAQ that is answered from now: the bundled one until a shop imports its own. Read it when it is used; an import replaces it
// while the server runs.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'

export interface CurrentFaq {
  entries(): readonly FaqEntry[]
  replace(entries: readonly FaqEntry[]): void
}

export function currentFaq(first: readonly FaqEntry[]): CurrentFaq {
  let current = first
  return {
    entries: () => current,
    replace: (entries) => void (current = entries),
  }
}
