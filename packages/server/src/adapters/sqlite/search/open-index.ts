// An index file opened for searching: the shelf in memory, and full text and details read from the file.
import { DatabaseSync } from 'node:sqlite'
import type { FullText } from '@mangaassist/bookseller/retrieval/shelf-search'
import { ShelfBuilder } from '@mangaassist/bookseller/retrieval/shelf'
import type { EntryDetail, EntryFacts, Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { matchAny, rankedFullText } from './ranked-full-text.ts'

/** Some ten megabytes: all of a small catalogue, and of a large one what is asked often. */
const DETAILS_MAX = 2000
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
  try {
    return indexIn(file, vectors)
  } catch (error) {
    file.close()
    throw error
  }
}

function indexIn(file: DatabaseSync, vectors: WordVectors): OpenIndex {
  const having = file.prepare(HAVING)
  const readDetail = file.prepare('SELECT words FROM details WHERE product = ?')
  const details = new Map<number, EntryDetail>()

  function detail(product: number): EntryDetail {
    const cached = details.get(product)
    if (cached !== undefined) return cached
    const row = readDetail.get(product) as { words: Uint8Array } | undefined
    const read = { words: row === undefined ? new Uint32Array() : wordsIn(row.words) }
    if (details.size >= DETAILS_MAX) for (const oldest of details.keys()) return forgot(oldest, product, read)
    details.set(product, read)
    return read
  }

  function forgot(oldest: number, product: number, read: EntryDetail): EntryDetail {
    details.delete(oldest)
    details.set(product, read)
    return read
  }

  return {
    shelf: readShelf(file, vectors, detail),
    fullText: rankedFullText(file),
    matched(product, terms) {
      const had = terms.filter((term) => having.get(matchAny([term]), product) !== undefined)
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

/** A view where the bytes are aligned, as those of a row are. */
function wordsIn({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength / 4)
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
