// The products of the shop for commands that only read: those of DATA_DIR, or the bundled ones where none are stored yet.
// Nothing is locked or written, so a server may be running.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { readStoredProducts } from '#adapters/sqlite/product-store/stored-products.ts'
import { readCatalogue } from '../bundled-data.ts'

/** Throws a DataDirError. */
export async function shopProducts(dataDir: string): Promise<readonly Product[]> {
  const { products: stored } = await readStoredProducts(dataDir)
  return stored.length > 0 ? stored : (await readCatalogue()).products
}
