// The catalogue in SQLite. A replacement changes products and search index in one commit, so that a search never finds a
// product that is not stored.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Database } from '../files/database.ts'
import { replaceDocuments } from '../search/search-index.ts'

const NEXT_EDITION = `
  INSERT INTO shelf_edition (only_row, version, source) VALUES (1, 1, ?)
  ON CONFLICT DO UPDATE SET version = version + 1, source = excluded.source`

export function sqliteProductStore({ database }: { readonly database: Database }): ProductStore {
  const products = (text: string, ...given: (string | number)[]) =>
    database
      .statement(text)
      .all(...given)
      .map((row) => JSON.parse(String(row['product'])) as Product)

  return {
    async byIds(ids) {
      return ids.flatMap((id) => products('SELECT product FROM products WHERE id = ?', id))
    },
    async page(afterId, limit) {
      return products('SELECT product FROM products WHERE id > ? ORDER BY id LIMIT ?', afterId, limit)
    },
    async count() {
      return Number(database.statement('SELECT count(*) AS products FROM products').get()?.['products'])
    },
    async replaceAll(replacements, source) {
      const put =
        'INSERT INTO products (id, product) VALUES (?, ?) ON CONFLICT DO UPDATE SET product = excluded.product'
      await database.write(() => {
        database.statement('DELETE FROM products').run()
        for (const product of replacements) database.statement(put).run(product.id, JSON.stringify(product))
        replaceDocuments(database, 'product', replacements.map(productDocument))
        database.statement(NEXT_EDITION).run(source)
      })
    },
    async edition() {
      const row = database.statement('SELECT version, source FROM shelf_edition').get()
      return row === undefined ? undefined : { version: Number(row['version']), source: String(row['source']) }
    },
  }
}
