// Reads the whole catalogue, whatever its size, in pages of a bounded size and in the order of the ids.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { ProductStore } from './port.ts'

const PAGE_PRODUCTS = 500

export function eachProduct(products: Pick<ProductStore, 'page'>): AsyncGenerator<Product> {
  return eachOfPages(PAGE_PRODUCTS, (limit, after) => products.page(after?.id ?? '', limit))
}

/** All products at once, for an index over them. */
export async function allProducts(products: Pick<ProductStore, 'page'>): Promise<readonly Product[]> {
  const all: Product[] = []
  for await (const product of eachProduct(products)) all.push(product)
  return all
}
