// The facts of the conversation so far, for the prompt: what its questions state, with the titles of the current catalogue.
import type { Language } from '@mangaassist/protocol'
import { pinnedIn, pinnedLines } from '@mangaassist/bookseller/understanding/pinned'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { CurrentLexicon } from './lexicon.ts'
import type { Understood } from './understood.ts'

export interface PinParts {
  readonly products: ProductStore
  readonly lexicon: CurrentLexicon
  readonly understood: Understood
}

/** A fact is short; the rest of a long message is for the summary. */
const READ_LENGTH_MAX = 300

export async function pinFacts(
  { products, lexicon, understood }: PinParts,
  history: readonly StoredTurn[],
  language: Language,
): Promise<readonly string[]> {
  if (history.length === 0) return []
  const words = await lexicon.current()
  const pinned = pinnedIn(
    history.map((turn) => understood(turn.question.slice(0, READ_LENGTH_MAX), turn.language, words)),
  )
  const ids = [...pinned.disliked, ...pinned.liked, ...pinned.owned.map(({ id }) => id), ...pinned.named]
  return pinnedLines(pinned, ids.length === 0 ? [] : await products.byIds(ids), language)
}
