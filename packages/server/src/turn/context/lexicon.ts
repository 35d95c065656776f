// The lexicon of the shelves as they are now: built when the edition changes, and shared by all turns meanwhile.
import { SHELF_PRODUCTS_MAX } from '@mangaassist/bookseller/catalogue/catalogue'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { buildLexicon } from '@mangaassist/bookseller/understanding/understand'
import type { Lexicon } from '@mangaassist/bookseller/understanding/understand'
import type { ProductStore } from '#ports/product-store/port.ts'

export interface CurrentLexicon {
  current(): Promise<Lexicon>
  /** Knows the FAQ and no series: for when the shelves cannot be read. */
  readonly withoutShelves: Lexicon
}

export function createLexicon(parts: {
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
}): CurrentLexicon {
  let known: { readonly version: number; readonly lexicon: Promise<Lexicon> } | undefined
  return {
    async current() {
      const version = (await parts.products.edition())?.version ?? 0
      if (known?.version !== version) {
        const lexicon = parts.products
          .page('', SHELF_PRODUCTS_MAX)
          .then((products) => buildLexicon(products, parts.faq))
        known = { version, lexicon }
        // A build that failed is not kept: the next turn tries again.
        lexicon.catch(() => (known = undefined))
      }
      return known.lexicon
    },
    withoutShelves: buildLexicon([], parts.faq),
  }
}
