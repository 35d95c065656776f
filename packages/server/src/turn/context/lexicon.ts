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
  let known: { readonly digest: string; readonly lexicon: Promise<Lexicon> } | undefined
  let faqOnly: { readonly faq: readonly FaqEntry[]; readonly lexicon: Lexicon } | undefined
  return {
    async current() {
      // Facts and FAQ: a new price or stock changes no word that is understood.
      const digest = (await parts.products.edition())?.factsDigest ?? ''
      if (known?.digest !== digest) {
        const lexicon = allProducts(parts.products).then((products) => buildLexicon(products, parts.faq))
        known = { digest, lexicon }
        // A failed build is not cached: the next turn tries again.
        lexicon.catch(() => (known = undefined))
      }
      return known.lexicon
    },
    get withoutShelves() {
      const { faq } = parts
      if (faqOnly?.faq !== faq) faqOnly = { faq, lexicon: buildLexicon([], faq) }
      return faqOnly.lexicon
    },
  }
}
