// What the shelves hold for a search, as cards, with the prices and stock of this moment.
import type { ProductCard } from '@mangaassist/protocol'
import { toCard } from '#domain/catalogue.ts'
import { detectLanguage } from '#domain/language.ts'
import type { ProductStore } from '#ports/product-store.ts'
import type { Search } from '#ports/search.ts'

/** So many hits of the FAQ may stand before the products without taking their places. */
const FAQ_HITS_MAX = 50

export function createProductQuery({ products, search }: { readonly products: ProductStore; readonly search: Search }) {
  return async function findProducts(
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ProductCard[]> {
    const language = detectLanguage(text)
    if (text.trim() === '') return (await products.page('', limit)).map((product) => toCard(product, language))
    const hits = await search.find({ text, language, limit: limit + FAQ_HITS_MAX }, signal)
    const found = hits.filter((hit) => hit.kind === 'product').slice(0, limit)
    const ids = found.map((hit) => hit.id)
    return (await products.byIds(ids)).map((product) => toCard(product, language))
  }
}
