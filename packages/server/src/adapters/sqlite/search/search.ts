// Search over SQLite's full-text index of products and FAQ, fused with vectors that are learned from the catalogue and
// scanned in memory. The vectors are rebuilt when the edition of the catalogue changes.
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { faqDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { shelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import type { ShelfIndex } from '@mangaassist/bookseller/catalogue/shelf-index'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Embedder } from '#ports/embedder/port.ts'
import { allProducts } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search, SearchHit } from '#ports/search/port.ts'
import type { Database } from '../files/database.ts'
import { replaceDocuments } from './search-index.ts'

const IN_NAME_WEIGHT = 8
/** More terms cost time and add no meaning. */
const TERMS_MAX = 64
/** How many full-text hits are ranked. */
const CANDIDATES_MAX = 60

const FIND = `
  SELECT id, names, text, -bm25(search_documents, 0, 0, 0, ${IN_NAME_WEIGHT}, 1) AS score
  FROM search_documents WHERE search_documents MATCH ? AND kind = ? ORDER BY score DESC, id LIMIT ?`
const READ = "SELECT names, text FROM search_documents WHERE kind = 'product' AND id = ?"

export interface SqliteSearchOptions {
  readonly database: Database
  readonly products: Pick<ProductStore, 'page' | 'edition'>
  readonly faq: readonly FaqEntry[]
  readonly learn: (texts: readonly string[]) => Embedder
}

/** Resolves when the FAQ (a file, which may have changed since the last start) and the catalogue are indexed. */
export async function sqliteSearch({ database, products, faq, learn }: SqliteSearchOptions): Promise<Search> {
  await database.write(() => replaceDocuments(database, 'faq', faq.map(faqDocument)))
  let known: { readonly version: number; readonly index: Promise<ShelfIndex> } | undefined

  async function shelves(): Promise<ShelfIndex> {
    const version = (await products.edition())?.version ?? 0
    if (known?.version !== version) {
      // The promise is cached, so that concurrent questions build the index once; a failed one is not cached.
      const index = allProducts(products).then((all) => shelfIndex(all, learn))
      known = { version, index }
      index.catch(() => (known = undefined))
    }
    return known.index
  }

  const byText = (terms: readonly string[], kind: SearchHit['kind'], limit: number): readonly Row[] =>
    terms.length === 0 ? [] : database.statement(FIND).all(terms.map(quoted).join(' OR '), kind, limit).map(toRow)

  await shelves()
  return {
    async find(query, signal) {
      signal.throwIfAborted()
      const index = await shelves()
      const terms = [...new Set(searchTerms(query.text))].slice(0, TERMS_MAX)
      const rows = byText(terms, 'product', CANDIDATES_MAX)
      const ranked = await index.rank(
        query,
        rows.map(({ id }) => id),
      )
      signal.throwIfAborted()
      const termsOf = (id: string) =>
        rows.find((row) => row.id === id)?.terms ?? toRow(database.statement(READ).get(id) ?? {}).terms
      return [
        ...ranked.map((hit) => ({ kind: 'product' as const, ...hit, matched: share(terms, termsOf(hit.id)) })),
        ...byText(terms, 'faq', query.limit).map((row) => ({
          kind: 'faq' as const,
          id: row.id,
          score: row.score,
          matched: share(terms, row.terms),
        })),
      ]
    },
  }
}

interface Row {
  readonly id: string
  readonly score: number
  readonly terms: ReadonlySet<string>
}

function toRow(row: Record<string, unknown>): Row {
  return {
    id: String(row['id']),
    score: Number(row['score']),
    terms: new Set([row['names'], row['text']].flatMap((terms) => (typeof terms === 'string' ? terms.split(' ') : []))),
  }
}

const share = (asked: readonly string[], terms: ReadonlySet<string>): number =>
  asked.length === 0 ? 0 : asked.filter((term) => terms.has(term)).length / asked.length

/** Quotes a term, so that nothing a shopper writes is an operator of the query language. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
