// Writes the full-text index of products and FAQ entries. The terms are cut by us, because no tokenizer of SQLite segments
// Japanese. Must be called inside a write of the database.
import type { SearchDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Database } from '../files/database.ts'

const INSERT = 'INSERT INTO search_documents (kind, id, written_names, names, text) VALUES (?, ?, ?, ?, ?)'

/** The `kind` of the products of one edition: those of the next edition are indexed before anyone may find them. */
export const kindOfEdition = (version: number): string => `product/${version}`

/** Returns the number under which the document is removed. */
export function addDocument(database: Database, kind: string, { id, names, text }: SearchDocument): number {
  const writtenNames = names.join('\n')
  const terms = searchTerms(writtenNames).join(' ')
  const { lastInsertRowid } = database.statement(INSERT).run(kind, id, writtenNames, terms, searchTerms(text).join(' '))
  return Number(lastInsertRowid)
}

export function removeDocument(database: Database, document: number): void {
  database.statement('DELETE FROM search_documents WHERE rowid = ?').run(document)
}

export function replaceFaqDocuments(database: Database, documents: readonly SearchDocument[]): void {
  database.statement("DELETE FROM search_documents WHERE kind = 'faq'").run()
  for (const document of documents) addDocument(database, 'faq', document)
}
