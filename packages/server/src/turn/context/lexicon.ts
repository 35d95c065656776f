// What is known of the current catalogue before any search: names, FAQ, and which series are near titles that it does not
// have. Built when the edition changes, and shared by all turns meanwhile.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import type { FaqIndex } from '@mangaassist/bookseller/catalogue/faq-match'
import type { FaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import { nearbyIndex } from '@mangaassist/bookseller/dialogue/nearby'
import type { Nearby } from '@mangaassist/bookseller/dialogue/nearby'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { buildLexicon } from '@mangaassist/bookseller/understanding/read'
import type { Lexicon } from '@mangaassist/bookseller/understanding/read'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'

interface KnownNames {
  readonly lexicon: Lexicon
  readonly nearby: Nearby
}

export interface CurrentLexicon {
  current(): Promise<KnownNames>
  /** Knows the FAQ and no series: used when the catalogue cannot be read. */
  readonly withoutShelves: KnownNames
}

export function createLexicon(parts: {
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly vectors?: WordVectors | undefined
  readonly faqWeights?: FaqWeights | undefined
}): CurrentLexicon {
  let known: { readonly digest: string; readonly names: Promise<KnownNames> } | undefined
  let faqOnly: { readonly faq: readonly FaqEntry[]; readonly names: KnownNames } | undefined
  // A new edition of the catalogue has the same FAQ.
  let indexed: { readonly faq: readonly FaqEntry[]; readonly index: FaqIndex } | undefined
  const currentIndex = (): FaqIndex => {
    const { faq } = parts
    if (indexed?.faq !== faq) indexed = { faq, index: faqIndex(faq, parts) }
    return indexed.index
  }
  const namesOf = (products: readonly Product[]): KnownNames => ({
    lexicon: buildLexicon(products, currentIndex(), parts.vectors),
    nearby: nearbyIndex(products),
  })
  return {
    async current() {
      // Facts and FAQ: a new price or stock changes no word that is understood.
      const digest = (await parts.products.edition())?.factsDigest ?? ''
      if (known?.digest !== digest) {
        const names = allProducts(parts.products).then(namesOf)
        known = { digest, names }
        // A failed build is not cached: the next turn tries again.
        names.catch(() => (known = undefined))
      }
      return known.names
    },
    get withoutShelves() {
      const { faq } = parts
      if (faqOnly?.faq !== faq) faqOnly = { faq, names: namesOf([]) }
      return faqOnly.names
    },
  }
}
