// Reads the catalogue of a DATA_DIR without its lock and without changing a byte, for commands that only read while a
// server may be running.
import { existsSync } from 'node:fs'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { databasePathIn } from '../files/data-dir.ts'
import { openReadOnly } from '../files/read-only.ts'
import { sqliteProductStore } from './product-store.ts'

export interface StoredCatalogue extends Disposable {
  readonly products: ProductStore
}

/** Undefined when nothing was served from the folder yet. Throws a DataDirError. */
export function openStoredCatalogue(dataDir: string): StoredCatalogue | undefined {
  if (!existsSync(databasePathIn(dataDir))) return undefined
  const database = openReadOnly(dataDir)
  return { products: sqliteProductStore({ database }), [Symbol.dispose]: () => database[Symbol.dispose]() }
}

/** In the order of their ids, with the imported FAQ; empty when no catalogue was stored. Throws a DataDirError. */
export async function readStoredProducts(
  dataDir: string,
): Promise<{ readonly products: readonly Product[]; readonly faq?: readonly FaqEntry[] }> {
  using stored = openStoredCatalogue(dataDir)
  if (stored === undefined) return { products: [] }
  const faq = await stored.products.faq()
  return { products: await allProducts(stored.products), ...(faq === undefined ? {} : { faq }) }
}
