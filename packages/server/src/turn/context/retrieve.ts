// What the store knows about the question: hits from search, with the products as they are on the shelves now.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from '#domain/catalogue.ts'
import type { ProductStore } from '#ports/product-store.ts'
import type { Search } from '#ports/search.ts'

export interface Retrieved {
  readonly best: 'product' | 'faq' | undefined
  readonly products: readonly Product[]
  readonly faq: readonly FaqEntry[]
}

export interface RetrieveParts {
  readonly search: Search
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
}

export async function retrieve(
  parts: RetrieveParts,
  query: { readonly text: string; readonly language: Language; readonly limit: number },
  signal: AbortSignal,
): Promise<Retrieved> {
  const hits = await parts.search.find(query, signal)
  const faqIds = hits.filter((hit) => hit.kind === 'faq').map((hit) => hit.id)
  const productIds = hits.filter((hit) => hit.kind === 'product').map((hit) => hit.id)
  return {
    best: hits[0]?.kind,
    products: await parts.products.byIds(productIds),
    faq: faqIds.flatMap((id) => parts.faq.find((entry) => entry.id === id) ?? []),
  }
}
