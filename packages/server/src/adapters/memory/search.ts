// Search by shared terms over what the product store holds at the moment, and over the FAQ: for tests and
// simulations. A term counts by its rarity, more in a name; a name that the question mentions whole counts most.
import type { FaqEntry } from '#domain/catalogue.ts'
import { faqDocument, productDocument } from '#domain/search-document.ts'
import type { SearchDocument } from '#domain/search-document.ts'
import { mentions, searchTerms } from '#lib/search-terms.ts'
import type { ProductStore } from '#ports/product-store.ts'
import type { Search } from '#ports/search.ts'

const IN_NAME_WEIGHT = 8
const MENTIONED_BONUS = 100
const PRODUCTS_MAX = 10_000

export interface MemorySearchOptions {
  readonly products: Pick<ProductStore, 'page'>
  readonly faq: readonly FaqEntry[]
}

export function memorySearch({ products, faq }: MemorySearchOptions): Search {
  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const shelves = await products.page('', PRODUCTS_MAX)
      signal.throwIfAborted()
      const documents = [...shelves.map(productDocument), ...faq.map(faqDocument)]
      return rank(documents, query.text).slice(0, query.limit)
    },
  }
}

function rank(documents: readonly SearchDocument[], text: string) {
  const indexed = documents.map((document) => ({
    document,
    names: new Set(searchTerms(document.names.join('\n'))),
    all: new Set(searchTerms(`${document.names.join('\n')}\n${document.text}`)),
  }))
  const asked = [...new Set(searchTerms(text))].map((term) => {
    const holders = indexed.filter(({ all }) => all.has(term)).length
    return { term, rarity: Math.log(1 + documents.length / Math.max(1, holders)) }
  })
  const scored = indexed.map(({ document, names, all }) => {
    const weight = (term: string) => (names.has(term) ? IN_NAME_WEIGHT : all.has(term) ? 1 : 0)
    const byTerms = asked.reduce((sum, { term, rarity }) => sum + rarity * weight(term), 0)
    const isMentioned = byTerms > 0 && document.names.some((name) => mentions(text, name))
    return { kind: document.kind, id: document.id, score: byTerms + (isMentioned ? MENTIONED_BONUS : 0) }
  })
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}
