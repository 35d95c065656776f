// The lexicon of the current catalogue: built when the edition changes, and shared by all turns meanwhile.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { buildLexicon } from '@mangaassist/bookseller/understanding/understand'
import type { Lexicon } from '@mangaassist/bookseller/understanding/understand'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'

export interface CurrentLexicon {
  current(): Promise<Lexicon>
  /** Knows the FAQ and no series: used when the catalogue cannot be read. */
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
        const lexicon = allProducts(parts.products).then((products) => buildLexicon(products, parts.faq))
        known = { version, lexicon }
        // A failed build is not cached: the next turn tries again.
        lexicon.catch(() => (known = undefined))
      }
      return known.lexicon
    },
    withoutShelves: buildLexicon([], parts.faq),
  }
}
