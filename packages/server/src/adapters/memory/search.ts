// Search over the current catalogue and the FAQ: for tests and simulations, and the oracle of the others. A term is
// weighted by its rarity, and higher in a name.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqDocument, productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import type { SearchDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { shelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import type { ShelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Embedder } from '#ports/embedder/port.ts'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search } from '#ports/search/port.ts'

const IN_NAME_WEIGHT = 8

export interface MemorySearchOptions {
  readonly products: Pick<ProductStore, 'page' | 'edition'>
  readonly faq: readonly FaqEntry[]
  readonly learn: (texts: readonly string[]) => Embedder
}

export function memorySearch({ products, faq, learn }: MemorySearchOptions): Search {
  const questions = faq.map(faqDocument).map(indexed)
  let known:
    | { readonly version: number; readonly index: ShelfIndex; readonly documents: readonly Indexed[] }
    | undefined

  async function shelves() {
    const version = (await products.edition())?.version ?? 0
    if (known?.version === version) return known
    const all = await allProducts(products)
    known = { version, index: await shelfIndex(all, learn), documents: all.map(productDocument).map(indexed) }
    return known
  }

  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const { index, documents } = await shelves()
      signal.throwIfAborted()
      const terms = [...new Set(searchTerms(query.text))]
      const byText = scored(documents, terms)
      const ranked = await index.rank(
        query,
        byText.map(({ id }) => id),
      )
      const found = scored(questions, terms).slice(0, query.limit)
      const matchedBy = (from: readonly Indexed[], id: string) =>
        matched(
          from.find(({ document }) => document.id === id),
          terms,
        )
      return [
        ...ranked.map((hit) => ({ kind: 'product' as const, ...hit, matched: matchedBy(documents, hit.id) })),
        ...found.map((hit) => ({ kind: 'faq' as const, ...hit, matched: matchedBy(questions, hit.id) })),
      ]
    },
  }
}

interface Indexed {
  readonly document: SearchDocument
  readonly names: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

interface Scored {
  readonly id: string
  readonly score: number
}

function indexed(document: SearchDocument): Indexed {
  const names = document.names.join('\n')
  return { document, names: new Set(searchTerms(names)), all: new Set(searchTerms(`${names}\n${document.text}`)) }
}

function matched(found: Indexed | undefined, terms: readonly string[]): number {
  return terms.length === 0 ? 0 : terms.filter((term) => found?.all.has(term) === true).length / terms.length
}

function scored(documents: readonly Indexed[], terms: readonly string[]): readonly Scored[] {
  const asked = terms.map((term) => {
    const holders = documents.filter(({ all }) => all.has(term)).length
    return { term, rarity: Math.log(1 + documents.length / Math.max(1, holders)) }
  })
  return documents
    .map(({ document, names, all }) => {
      const weight = (term: string) => (names.has(term) ? IN_NAME_WEIGHT : all.has(term) ? 1 : 0)
      return { id: document.id, score: asked.reduce((sum, { term, rarity }) => sum + rarity * weight(term), 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}
