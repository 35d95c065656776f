// Reads the catalogue of a DATA_DIR without its lock and without changing a byte, for commands that only read while a
// server may be running.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { checkFile } from '../files/check-file.ts'
import { databasePathIn } from '../files/data-dir.ts'

/** In the order of their ids; empty when no catalogue was stored. Throws a DataDirError. */
export function readStoredProducts(dataDir: string): readonly Product[] {
  const path = databasePathIn(dataDir)
  if (!existsSync(path)) return []
  checkFile(path)
  using connection = new DatabaseSync(path, { readOnly: true })
  const isEmpty = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'products'").get() === undefined
  const rows = isEmpty ? [] : connection.prepare('SELECT product FROM products ORDER BY id').all()
  return rows.map((row) => JSON.parse(String(row['product'])) as Product)
}
