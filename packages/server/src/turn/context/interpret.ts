// What the shopper means by this message, after what was said before: the past questions are read again with the
// same eyes, so nothing needs to be remembered but the conversation itself.
import type { Language } from '@mangaassist/protocol'
import { inContext } from '@mangaassist/bookseller/understanding/in-context'
import type { AskInContext, PastTurn } from '@mangaassist/bookseller/understanding/in-context'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { CurrentLexicon } from './lexicon.ts'
import type { Understood } from './understood.ts'

export interface InterpretParts {
  readonly products: ProductStore
  readonly lexicon: CurrentLexicon
  readonly understood: Understood
}

export interface Said {
  readonly message: string
  readonly language: Language
  readonly history: readonly StoredTurn[]
}

/** How far back a question may lean. */
const PAST_TURNS_MAX = 6

export async function interpret({ products, lexicon, understood }: InterpretParts, said: Said): Promise<AskInContext> {
  const words = await lexicon.current()
  const past: PastTurn[] = []
  for (const { question, language, productIds } of said.history.slice(-PAST_TURNS_MAX)) {
    // Each in the context of those before it: a third wish refines the second, which refined the first.
    const ask = inContext(understood(question, language, words), past)
    past.push({ ask, shown: productIds.length === 0 ? [] : await products.byIds(productIds) })
  }
  return inContext(understood(said.message, said.language, words), past)
}
