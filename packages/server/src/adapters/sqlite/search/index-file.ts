// The search index of one edition: a SQLite file of its own, because it can be built again at any time, must not grow the database
// of the shop, and is replaced as a whole. It is named by what it was made from, and written beside the one in use.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { shelfEntry } from '@mangaassist/bookseller/retrieval/shelf-entry'
import type { ShelfEntry } from '@mangaassist/bookseller/retrieval/shelf-entry'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import { COMMON_TERMS_TABLE, writeCommonTerms } from './ranked-full-text.ts'

/** Rises with every change of the layout or of how texts are cut. */
const LAYOUT = 3
/** Products between two pauses: some ten milliseconds of work. */
const BATCH_PRODUCTS = 5
const PART_PRODUCTS = 1000

const TABLES = `
  CREATE VIRTUAL TABLE documents USING fts5 (
    names, text, content = '', tokenize = 'unicode61 remove_diacritics 0'
  );
  CREATE TABLE details (product INTEGER PRIMARY KEY, words BLOB NOT NULL) STRICT;
  CREATE TABLE parts (part INTEGER PRIMARY KEY, facts TEXT NOT NULL, vectors BLOB NOT NULL) STRICT;
  ${COMMON_TERMS_TABLE}`

export function indexPath(folder: string, digest: string, vectors: WordVectors): string {
  return join(folder, `${digest.slice(0, 24)}-${vectors.digest}-${LAYOUT}.sqlite`)
}

/** Writes the index of the products; it has its name only when it is complete. */
export async function buildIndexFile(
  path: string,
  products: AsyncIterable<Product>,
  { vectors, pause }: { readonly vectors: WordVectors; readonly pause: () => Promise<void> },
): Promise<void> {
  const unfinished = `${path}.unfinished`
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  rmSync(unfinished, { force: true })
  const file = new DatabaseSync(unfinished)
  try {
    // A crash leaves an unfinished file, which the next build removes.
    file.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${TABLES}`)
    const writer = new IndexWriter(file, vectors)
    file.exec('BEGIN')
    for await (const product of products) {
      writer.add(product)
      if (writer.count % BATCH_PRODUCTS === 0) await pause()
    }
    writer.finish()
    file.exec("COMMIT; INSERT INTO documents (documents) VALUES ('optimize'); BEGIN")
    await writeCommonTerms(file, pause)
    file.exec('COMMIT')
  } finally {
    file.close()
  }
  renameSync(unfinished, path)
}

/** Removes the indexes of other editions; an error leaves them for the next time. */
export function removeOtherIndexes(folder: string, path: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (other !== path && /\.sqlite(?:\.unfinished)?$/u.test(name)) rmSync(other, { force: true })
  }
}

class IndexWriter {
  count = 0
  readonly #file: DatabaseSync
  readonly #vectors: WordVectors
  readonly #document
  readonly #detail
  #part: ShelfEntry[] = []

  constructor(file: DatabaseSync, vectors: WordVectors) {
    this.#file = file
    this.#vectors = vectors
    this.#document = file.prepare('INSERT INTO documents (rowid, names, text) VALUES (?, ?, ?)')
    this.#detail = file.prepare('INSERT INTO details (product, words) VALUES (?, ?)')
  }

  add(product: Product): void {
    const entry = shelfEntry(product, this.#vectors)
    const { names, text } = productDocument(product)
    const row = this.count
    const terms = (from: string) => searchTerms(from).join(' ')
    this.#document.run(row, terms(names.join('\n')), terms(text))
    this.#detail.run(row, new Uint8Array(entry.words.buffer))
    this.#part.push(entry)
    this.count += 1
    if (this.#part.length === PART_PRODUCTS) this.#writePart()
  }

  finish(): void {
    if (this.#part.length > 0) this.#writePart()
  }

  #writePart(): void {
    const facts = this.#part.map(({ words: _, vector: __, ...facts }) => facts)
    const vectors = new Int8Array(this.#part.length * this.#vectors.dimensions)
    for (const [index, { vector }] of this.#part.entries()) vectors.set(vector, index * this.#vectors.dimensions)
    const put = this.#file.prepare('INSERT INTO parts (facts, vectors) VALUES (?, ?)')
    put.run(JSON.stringify(facts), new Uint8Array(vectors.buffer))
    this.#part = []
  }
}
