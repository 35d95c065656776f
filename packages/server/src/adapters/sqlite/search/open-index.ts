// An index file opened for searching: the shelf in memory, and full text and details read from the file.
import { DatabaseSync } from 'node:sqlite'
import { HITS_MAX, IN_NAME_WEIGHT } from '@mangaassist/bookseller/retrieval/term-index'
import type { TextHit } from '@mangaassist/bookseller/retrieval/rank'
import type { FullText } from '@mangaassist/bookseller/retrieval/shelf-search'
import { ShelfBuilder } from '@mangaassist/bookseller/retrieval/shelf'
import type { EntryDetail, EntryFacts, Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'

/** Some ten megabytes: all of a small catalogue, and of a large one what is asked often. */
const DETAILS_MAX = 2000
/** How many documents a query may rank: SQLite ranks about one per microsecond. */
const RANKED_MAX = 3000
/** The rarest terms are searched however many documents have them. */
const TERMS_MIN = 2

const FIND = `
  SELECT rowid AS product, -bm25(documents, ${IN_NAME_WEIGHT}, 1) AS score
  FROM documents WHERE documents MATCH ? ORDER BY score DESC, rowid LIMIT ${HITS_MAX}`
/** Seeks one document; a list of them would read all documents of the term. */
const HAVING = 'SELECT 1 FROM documents WHERE documents MATCH ? AND rowid = ?'

export interface OpenIndex extends Disposable {
  readonly shelf: Shelf
  readonly fullText: FullText
  /** The share of the terms that a product has. */
  matched(product: number, terms: readonly string[]): number
}

export function openIndex(path: string, vectors: WordVectors): OpenIndex {
  const file = new DatabaseSync(path, { readOnly: true })
  const find = file.prepare(FIND)
  const having = file.prepare(HAVING)
  const documentsOf = file.prepare('SELECT documents FROM common_terms WHERE term = ?')
  const readDetail = file.prepare('SELECT words FROM details WHERE product = ?')
  const details = new Map<number, EntryDetail>()

  function detail(product: number): EntryDetail {
    const cached = details.get(product)
    if (cached !== undefined) return cached
    const row = readDetail.get(product) as { words: Uint8Array } | undefined
    const read = { words: row === undefined ? new Uint32Array() : new Uint32Array(row.words.slice().buffer) }
    if (details.size >= DETAILS_MAX) for (const oldest of details.keys()) return forgot(oldest, product, read)
    details.set(product, read)
    return read
  }

  function forgot(oldest: number, product: number, read: EntryDetail): EntryDetail {
    details.delete(oldest)
    details.set(product, read)
    return read
  }

  /** The rarest terms, as many as can be ranked in time. */
  function affordable(terms: readonly string[]): readonly string[] {
    const counted = terms.map((term) => ({ term, documents: Number(documentsOf.get(term)?.['documents'] ?? 0) }))
    counted.sort((a, b) => a.documents - b.documents)
    let ranked = 0
    return counted
      .filter(({ documents }, place) => (ranked += documents) <= RANKED_MAX || place < TERMS_MIN)
      .map(({ term }) => term)
  }

  const query = (columns: string, terms: readonly string[]) => `{${columns}} : (${terms.map(quoted).join(' OR ')})`
  const hits = (rows: readonly Record<string, unknown>[]): readonly TextHit[] =>
    rows.map((row) => ({ product: Number(row['product']), score: Number(row['score']) }))

  return {
    shelf: readShelf(file, vectors, detail),
    fullText: { find: (terms) => hits(find.all(query('names text', affordable(terms)))) },
    matched(product, terms) {
      const had = terms.filter((term) => having.get(query('names text', [term]), product) !== undefined)
      return had.length / (terms.length || 1)
    },
    [Symbol.dispose]: () => file.close(),
  }
}

function readShelf(file: DatabaseSync, vectors: WordVectors, detail: Shelf['detail']): Shelf {
  const builder = new ShelfBuilder(vectors.dimensions)
  for (const row of file.prepare('SELECT facts, vectors FROM parts ORDER BY part').iterate()) {
    for (const facts of JSON.parse(String(row['facts'])) as Omit<EntryFacts, 'vector'>[]) builder.add(facts)
    const { buffer, byteOffset, byteLength } = row['vectors'] as Uint8Array
    builder.addVectors(new Int8Array(buffer, byteOffset, byteLength))
  }
  return builder.shelf(detail)
}

/** Quotes a term, so that nothing a shopper writes is an operator of the query language. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
