// Writes the full-text index of products and FAQ entries. The terms are cut by us, because no tokenizer of SQLite segments
// Japanese. Must be called inside a write of the database.
import type { SearchDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Database } from '../files/database.ts'

export function replaceDocuments(
  database: Database,
  kind: SearchDocument['kind'],
  documents: readonly SearchDocument[],
): void {
  database.statement('DELETE FROM search_documents WHERE kind = ?').run(kind)
  const insert = 'INSERT INTO search_documents (kind, id, written_names, names, text) VALUES (?, ?, ?, ?, ?)'
  for (const { id, names, text } of documents) {
    const writtenNames = names.join('\n')
    const terms = searchTerms(writtenNames).join(' ')
    database.statement(insert).run(kind, id, writtenNames, terms, searchTerms(text).join(' '))
  }
}
