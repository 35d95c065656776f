// Interprets this message after the earlier turns: past questions are understood again by the same rules, so the
// conversation is the only state.
import type { Language, PageContext } from '@mangaassist/protocol'
import { NO_ASK } from '@mangaassist/bookseller/grounding'
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
  /** The page on which the message was written. */
  readonly page?: PageContext
}

/** How many past turns a question may refer to. */
const PAST_TURNS_MAX = 6

export async function interpret({ products, lexicon, understood }: InterpretParts, said: Said): Promise<AskInContext> {
  const words = await lexicon.current()
  const past: PastTurn[] = []
  let openPage: string | undefined
  /** The series of a page that was just opened is what is talked about, as if it had been asked for. */
  const visit = async (page: PageContext | undefined): Promise<void> => {
    if (page?.productId === openPage) return
    openPage = page?.productId
    const shown = openPage === undefined ? [] : await products.byIds([openPage])
    for (const { id } of shown) past.push({ ask: { ...NO_ASK, kind: 'about', mentioned: [id] }, shown })
  }
  for (const { question, language, productIds, page } of said.history.slice(-PAST_TURNS_MAX)) {
    await visit(page)
    // Each in the context of the earlier ones: a third wish refines the second, which refined the first.
    const ask = inContext(understood(question, language, words), past)
    past.push({ ask, shown: productIds.length === 0 ? [] : await products.byIds(productIds) })
  }
  await visit(said.page)
  return inContext(understood(said.message, said.language, words), past)
}
