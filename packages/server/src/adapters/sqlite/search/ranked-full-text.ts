// Full text by BM25, in a time that does not grow with the catalogue: SQLite ranks every document of every term, so terms that too
// many documents have are answered by a stored list of their best documents.
import type { DatabaseSync } from 'node:sqlite'
import { HITS_MAX, IN_NAME_WEIGHT } from '@mangaassist/bookseller/retrieval/term-index'
import type { TextHit } from '@mangaassist/bookseller/retrieval/rank'
import type { FullText } from '@mangaassist/bookseller/retrieval/shelf-search'

/** How many documents a query may rank: SQLite ranks about one per microsecond. */
const RANKED_MAX = 3000
/** The rarest terms are searched however many documents have them. */
const TERMS_MIN = 2
/** Terms of fewer documents are not counted. */
const COUNTED_MIN = 200
/** Enough for two terms to have some in common. */
const BEST_MAX = 500

export const COMMON_TERMS_TABLE = `
  CREATE TABLE common_terms (term TEXT PRIMARY KEY, documents INTEGER NOT NULL, best BLOB) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE terms USING fts5vocab (documents, 'row');`

const FIND = `
  SELECT rowid AS product, -bm25(documents, ${IN_NAME_WEIGHT}, 1) AS score
  FROM documents WHERE documents MATCH ? ORDER BY score DESC, rowid LIMIT ?`

/** Counts the terms of an index that has all its documents, and lists the best documents of those that cannot be ranked in time. */
export async function writeCommonTerms(file: DatabaseSync, pause: () => Promise<void>): Promise<void> {
  const find = file.prepare(FIND)
  const put = file.prepare('INSERT INTO common_terms (term, documents, best) VALUES (?, ?, ?)')
  for (const row of file.prepare('SELECT term, doc FROM terms WHERE doc >= ?').all(COUNTED_MIN)) {
    const [term, documents] = [String(row['term']), Number(row['doc'])]
    if (documents <= RANKED_MAX) put.run(term, documents, null)
    else {
      put.run(term, documents, bytesOf(hitsOf(find.all(matchAny([term]), BEST_MAX))))
      await pause()
    }
  }
}

export function rankedFullText(file: DatabaseSync): FullText {
  const find = file.prepare(FIND)
  const common = file.prepare('SELECT documents, best FROM common_terms WHERE term = ?')
  const countOf = (term: string): Counted => {
    const counts = tokensOf(term).map((token) => {
      const row = common.get(token) as { documents: number; best: Uint8Array | null } | undefined
      return { documents: row?.documents ?? 0, best: row?.best ?? undefined }
    })
    // No more documents have all tokens than have the rarest.
    const rarest = counts.reduce((a, b) => (b.documents < a.documents ? b : a), counts[0] ?? NOT_COMMON)
    return { term, ...rarest }
  }
  return {
    find(terms) {
      const { ranked, listed } = affordable(terms.map(countOf))
      const hits = ranked.length === 0 ? [] : hitsOf(find.all(matchAny(ranked), HITS_MAX))
      return listed.length === 0 ? hits : together([hits, ...listed.map(hitsIn)])
    },
  }
}

interface Counted {
  readonly term: string
  /** 0 for few. */
  readonly documents: number
  /** The best documents, by `bytesOf`, if not all of them can be ranked. */
  readonly best?: Uint8Array | undefined
}

const NOT_COMMON = { documents: 0, best: undefined }

/** The rarest terms, as many as can be ranked in time. */
function affordable(counted: readonly Counted[]): {
  readonly ranked: readonly string[]
  readonly listed: readonly Uint8Array[]
} {
  const ranked: string[] = []
  const listed: Uint8Array[] = []
  let sum = 0
  for (const [place, { term, documents, best }] of counted.toSorted((a, b) => a.documents - b.documents).entries()) {
    sum += documents
    if (sum > RANKED_MAX && place >= TERMS_MIN) break
    if (best === undefined) ranked.push(term)
    else listed.push(best)
  }
  return { ranked, listed }
}

/** The score of a document is the sum of those of its terms. */
function together(lists: readonly (readonly TextHit[])[]): readonly TextHit[] {
  const scores = new Map<number, number>()
  for (const { product, score } of lists.flat()) scores.set(product, (scores.get(product) ?? 0) + score)
  return Array.from(scores, ([product, score]) => ({ product, score }))
    .sort((a, b) => b.score - a.score || a.product - b.product)
    .slice(0, HITS_MAX)
}

const hitsOf = (rows: readonly Record<string, unknown>[]): readonly TextHit[] =>
  rows.map((row) => ({ product: Number(row['product']), score: Number(row['score']) }))

/** Each a number of 32 bits and a score of 32 bits. */
function bytesOf(hits: readonly TextHit[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(hits.length * 8))
  for (const [at, { product, score }] of hits.entries()) {
    view.setUint32(at * 8, product, true)
    view.setFloat32(at * 8 + 4, score, true)
  }
  return new Uint8Array(view.buffer)
}

function hitsIn(bytes: Uint8Array): readonly TextHit[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength / 8 }, (_, at) => ({
    product: view.getUint32(at * 8, true),
    score: view.getFloat32(at * 8 + 4, true),
  }))
}

/** The tokens of a term as the index has them: 「で、」 is 「で」 there, and "boy's" two tokens. */
const tokensOf = (term: string): readonly string[] => term.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []

/** A query for documents that have any of the terms. */
export const matchAny = (terms: readonly string[]): string => `{names text} : (${terms.map(quoted).join(' OR ')})`

/** Quotes a term, so that nothing a shopper writes is an operator of the query language. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
