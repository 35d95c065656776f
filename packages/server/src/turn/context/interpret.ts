// Interprets this message after the earlier turns: past questions are understood again by the same rules, so the
// conversation is the only state.
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

/** How many past turns a question may refer to. */
const PAST_TURNS_MAX = 6

export async function interpret({ products, lexicon, understood }: InterpretParts, said: Said): Promise<AskInContext> {
  const words = await lexicon.current()
  const past: PastTurn[] = []
  for (const { question, language, productIds } of said.history.slice(-PAST_TURNS_MAX)) {
    // Each in the context of the earlier ones: a third wish refines the second, which refined the first.
    const ask = inContext(understood(question, language, words), past)
    past.push({ ask, shown: productIds.length === 0 ? [] : await products.byIds(productIds) })
  }
  return inContext(understood(said.message, said.language, words), past)
}
