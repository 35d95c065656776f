// The catalogue in memory: for tests and simulations.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Edition, ProductStore } from '#ports/product-store/port.ts'

export function memoryProductStore(): ProductStore {
  let shelves = new Map<string, Product>()
  let edition: Edition | undefined

  return {
    async byIds(ids) {
      return ids.flatMap((id) => shelves.get(id) ?? [])
    },
    async page(afterId, limit) {
      return [...shelves.values()].filter(({ id }) => id > afterId).slice(0, limit)
    },
    async count() {
      return shelves.size
    },
    async replaceAll(products, source) {
      edition = { version: (edition?.version ?? 0) + 1, source }
      const sorted = products.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      shelves = new Map(sorted.map((product) => [product.id, product]))
    },
    async edition() {
      return edition
    },
  }
}
