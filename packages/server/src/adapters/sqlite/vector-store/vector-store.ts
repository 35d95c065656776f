// The vectors of one embedder in a file of its own, because it can be made again at any time and must not grow the database of the
// shop. A document's vectors are one value, which a question reads at once; `texts` says where the vector of a text is.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { VectorDocument, VectorStore } from '#ports/vector-store/port.ts'

/** Rises with every change of the layout, of the vectors' bytes or of how a direction is made coarse. */
const LAYOUT = 1
const BUSY_TIMEOUT_MS = 2000

const TABLES = `
  CREATE TABLE documents (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, facts TEXT NOT NULL,
    coarse BLOB NOT NULL, fields BLOB NOT NULL, vectors BLOB NOT NULL
  ) STRICT;
  CREATE TABLE texts (
    hash TEXT PRIMARY KEY, document INTEGER NOT NULL, place INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX texts_of_document ON texts (document);
  CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${LAYOUT};`

export interface VectorFileOptions {
  readonly path: string
  readonly dimensions: number
  /** Reads only: for commands beside a running server. The file must exist. */
  readonly readOnly?: boolean
}

export function sqliteVectorStore(options: VectorFileOptions): VectorStore {
  const file = options.readOnly === true ? new DatabaseSync(options.path, { readOnly: true }) : openFile(options.path)
  const { dimensions } = options
  const page = file.prepare('SELECT id, facts, coarse FROM documents WHERE id > ? ORDER BY id LIMIT ?')
  const passages = file.prepare('SELECT fields, vectors FROM documents WHERE id = ?')
  const textVector = file.prepare(`
    SELECT substr(vectors, place * ${dimensions} + 1, ${dimensions}) AS vector
    FROM texts JOIN documents ON number = document WHERE hash = ?`)
  const readNote = file.prepare('SELECT text FROM notes WHERE name = ?')

  return {
    outlines: (after, limit) =>
      page.all(after, limit).map((row) => ({
        id: String(row['id']),
        facts: String(row['facts']),
        coarse: new Float32Array(copied(row['coarse'])),
      })),
    vectorsOf(hashes) {
      const found = new Map<string, Int8Array>()
      for (const hash of hashes) {
        const row = textVector.get(hash)
        if (row !== undefined) found.set(hash, new Int8Array(copied(row['vector'])))
      }
      return found
    },
    passages(id) {
      const row = passages.get(id)
      if (row === undefined) return undefined
      const { buffer, byteOffset, byteLength } = row['vectors'] as Uint8Array
      return { fields: new Uint8Array(copied(row['fields'])), vectors: new Int8Array(buffer, byteOffset, byteLength) }
    },
    put: (documents) => inTransaction(file, () => documents.forEach((document) => write(file, document))),
    remove: (ids) => inTransaction(file, () => ids.forEach((id) => erase(file, id))),
    note: (name) => readNote.get(name)?.['text'] as string | undefined,
    setNote: (name, text) =>
      void file.prepare('INSERT OR REPLACE INTO notes (name, text) VALUES (?, ?)').run(name, text),
    [Symbol.dispose]: () => file.close(),
  }
}

/** A file that is damaged or of another layout is begun again: it costs a few calls of the vendor, and no data of the shop. */
function openFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path) && !isCurrent(path))
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  const isNew = !existsSync(path)
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  // A crash may lose the last vectors, which are then embedded again.
  file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  if (isNew) file.exec(`BEGIN; ${TABLES} COMMIT`)
  return file
}

function isCurrent(path: string): boolean {
  try {
    using file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    return file.prepare('PRAGMA user_version').get()?.['user_version'] === LAYOUT
  } catch {
    return false
  }
}

function write(file: DatabaseSync, { id, facts, coarse, fields, hashes, vectors }: VectorDocument): void {
  erase(file, id)
  const { lastInsertRowid: number } = file
    .prepare('INSERT INTO documents (id, facts, coarse, fields, vectors) VALUES (?, ?, ?, ?, ?)')
    .run(id, facts, bytesOf(coarse), fields, bytesOf(vectors))
  const text = file.prepare('INSERT OR REPLACE INTO texts (hash, document, place) VALUES (?, ?, ?)')
  for (const [place, hash] of hashes.entries()) text.run(hash, number, place)
}

function erase(file: DatabaseSync, id: string): void {
  file.prepare('DELETE FROM texts WHERE document = (SELECT number FROM documents WHERE id = ?)').run(id)
  file.prepare('DELETE FROM documents WHERE id = ?').run(id)
}

function inTransaction(file: DatabaseSync, change: () => void): void {
  file.exec('BEGIN IMMEDIATE')
  try {
    change()
    file.exec('COMMIT')
  } catch (error) {
    file.exec('ROLLBACK')
    throw error
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The bytes of a value in a buffer of their own, which any typed array can view. */
const copied = (value: unknown): ArrayBuffer => Uint8Array.from(value as Uint8Array).buffer
