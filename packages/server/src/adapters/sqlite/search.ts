// Search by SQLite's full-text index over products and FAQ. Terms rank by bm25, more in a name; a name that the
// question mentions whole ranks above everything.
import type { FaqEntry } from '#domain/catalogue.ts'
import { faqDocument } from '#domain/search-document.ts'
import { mentions, searchTerms } from '#lib/search-terms.ts'
import type { Search, SearchHit } from '#ports/search.ts'
import type { Database } from './database.ts'
import { NAMES_SEPARATOR, replaceDocuments } from './search-index.ts'

const IN_NAME_WEIGHT = 8
const MENTIONED_BONUS = 100
/** A longer question adds time and no meaning. */
const TERMS_MAX = 64
/** How many are looked at for mentions, as a multiple of what was asked for. */
const CANDIDATES_FACTOR = 5

const FIND = `
  SELECT kind, id, written_names, -bm25(search_documents, 0, 0, 0, ${IN_NAME_WEIGHT}, 1) AS score
  FROM search_documents WHERE search_documents MATCH ? ORDER BY score DESC, id LIMIT ?`

export interface SqliteSearchOptions {
  readonly database: Database
  readonly faq: readonly FaqEntry[]
}

/** Resolves once the FAQ, which lives in a file and may have changed since the last start, is indexed. */
export async function sqliteSearch({ database, faq }: SqliteSearchOptions): Promise<Search> {
  await database.write(() => replaceDocuments(database, 'faq', faq.map(faqDocument)))
  return {
    async find({ text, limit }, signal) {
      signal.throwIfAborted()
      const terms = [...new Set(searchTerms(text))].slice(0, TERMS_MAX)
      if (terms.length === 0) return []
      const rows = database.statement(FIND).all(terms.map(quoted).join(' OR '), limit * CANDIDATES_FACTOR)
      const hits = rows.map((row) => toHit(row, text))
      return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
    },
  }
}

/** As a string of the query language, so that nothing a shopper writes is an operator. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}

function toHit(row: Record<string, unknown>, text: string): SearchHit {
  const isMentioned = String(row['written_names'])
    .split(NAMES_SEPARATOR)
    .some((name) => mentions(text, name))
  return {
    kind: row['kind'] === 'faq' ? 'faq' : 'product',
    id: String(row['id']),
    score: Number(row['score']) + (isMentioned ? MENTIONED_BONUS : 0),
  }
}
