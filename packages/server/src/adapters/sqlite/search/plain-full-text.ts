// Plain FTS5 over the same documents, without meaning, attributes or conditions: what the search is compared with.
import { DatabaseSync } from 'node:sqlite'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'

/** Returns ids, best first. The index is in memory. */
export function plainFullText(products: readonly Product[]): (text: string, limit: number) => readonly string[] {
  const file = new DatabaseSync(':memory:')
  file.exec(
    "CREATE VIRTUAL TABLE documents USING fts5 (id UNINDEXED, text, tokenize = 'unicode61 remove_diacritics 0')",
  )
  const put = file.prepare('INSERT INTO documents (id, text) VALUES (?, ?)')
  for (const product of products) {
    const { id, names, text } = productDocument(product)
    put.run(id, searchTerms([...names, text].join('\n')).join(' '))
  }
  const find = file.prepare('SELECT id FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?')
  return (text, limit) => {
    const terms = [...new Set(searchTerms(text))].map((term) => `"${term.replaceAll('"', '""')}"`)
    return terms.length === 0 ? [] : find.all(terms.join(' OR '), limit).map((row) => String(row['id']))
  }
}
