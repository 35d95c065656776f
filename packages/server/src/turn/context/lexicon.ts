// What is known of the current catalogue before any search: names, FAQ, and which series are near titles that it does not
// have. Built when the edition changes, and shared by all turns meanwhile.
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import type { FaqIndex } from '@mangaassist/bookseller/catalogue/faq-match'
import type { FaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import { nearbyIndex } from '@mangaassist/bookseller/dialogue/nearby'
import type { Nearby } from '@mangaassist/bookseller/dialogue/nearby'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { NamesBuilder } from '@mangaassist/bookseller/understanding/names'
import { isCommonOf, isWordOf } from '@mangaassist/bookseller/understanding/read'
import type { Lexicon } from '@mangaassist/bookseller/understanding/read'
import { eachProduct } from '#ports/product-store/each-product.ts'
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
  const knownOf = (names: NamesBuilder, withNeighbours: readonly Product[]): KnownNames => ({
    lexicon: { names: names.names(isWordOf(parts.vectors), isCommonOf(parts.vectors)), faq: currentIndex() },
    nearby: nearbyIndex(withNeighbours),
  })
  async function readNames(): Promise<KnownNames> {
    const names = new NamesBuilder()
    const withNeighbours: Product[] = []
    for await (const product of eachProduct(parts.products)) {
      names.add(product)
      if (namesOthers(product)) withNeighbours.push(product)
    }
    return knownOf(names, withNeighbours)
  }
  return {
    async current() {
      // Facts and FAQ: a new price or stock changes no word that is understood.
      const digest = (await parts.products.edition())?.factsDigest ?? ''
      if (known?.digest !== digest) {
        const names = readNames()
        known = { digest, names }
        // A failed build is not cached: the next turn tries again.
        names.catch(() => (known = undefined))
      }
      return known.names
    },
    get withoutShelves() {
      const { faq } = parts
      if (faqOnly?.faq !== faq) faqOnly = { faq, names: knownOf(new NamesBuilder(), []) }
      return faqOnly.names
    },
  }
}

/** Only these are needed for titles that the shop does not have; a product is large. */
const namesOthers = ({ similar = [], related = [], otherWorks = [] }: Product): boolean =>
  similar.length + related.length + otherWorks.length > 0
