// Checks a database file before anything is written to it, so that a file we cannot use stays as it was, byte for byte.
// Refuses a file that is not a database, is damaged, belongs to another program, or is newer than this program.
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { DataDirError } from './data-dir-error.ts'
import { APPLICATION_ID, migrations } from './migrations.ts'

const HEADER = 'SQLite format 3\u0000'
/** Reading every page of a larger file would delay the start; only its structure is checked. */
const FULL_CHECK_BYTES_MAX = 256 * 1024 * 1024
const ADVICE = 'Restore it from a backup, or move it elsewhere to start with an empty one.'

export function checkFile(path: string): void {
  const { bytes, start } = readStart(path)
  // SQLite leaves an empty file when it dies before its first write.
  if (bytes === 0) return
  if (start !== HEADER) {
    throw new DataDirError(path, `${path} is not a database, so it was left alone. ${ADVICE}`)
  }
  const found = inspect(path, bytes)
  if (found.version > migrations.length) {
    throw new DataDirError(
      path,
      `${path} was written by a newer version of this program (its format is ${found.version}, this program knows ` +
        `${migrations.length}), so it was left alone. Start the newer program, or restore a backup from before the upgrade.`,
    )
  }
  if (found.tables > 0 && found.applicationId !== APPLICATION_ID) {
    throw new DataDirError(
      path,
      `${path} is the database of another program, so it was left alone. Set DATA_DIR to another folder.`,
    )
  }
}

function inspect(path: string, bytes: number): { version: number; applicationId: number; tables: number } {
  try {
    using connection = new DatabaseSync(readableAt(path), { readOnly: true })
    const number = (sql: string, column: string) => Number(connection.prepare(sql).get()?.[column])
    if (bytes <= FULL_CHECK_BYTES_MAX) {
      const problem = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
      if (problem !== 'ok') throw new Error(String(problem))
    }
    return {
      version: number('PRAGMA user_version', 'user_version'),
      applicationId: number('PRAGMA application_id', 'application_id'),
      tables: number('SELECT count(*) AS tables FROM sqlite_schema', 'tables'),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isUnopened(error)) throw unopened(path, reason, error)
    throw new DataDirError(path, `The database ${path} is damaged (${reason}), so it was left alone. ${ADVICE}`, error)
  }
}

function readStart(path: string): { readonly bytes: number; readonly start: string } {
  try {
    return { bytes: statSync(path).size, start: firstBytes(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DataDirError(path, `${path} cannot be read as a file (${code}), so it was left alone. ${ADVICE}`, error)
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(HEADER.length)
    const read = readSync(file, buffer, 0, HEADER.length, 0)
    return buffer.toString('latin1', 0, read)
  } finally {
    closeSync(file)
  }
}

const [READ_ONLY, CANNOT_OPEN] = [8, 14]

/** Whether SQLite failed to make its index beside the file, which says nothing about the file. */
function isUnopened(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === READ_ONLY || code === CANNOT_OPEN
}

function unopened(path: string, reason: string, cause?: unknown): DataDirError {
  const advice =
    'Nothing is wrong with it as far as is known. Copy the folder to where it can be written, and read it there.'
  const what = `The database ${path} cannot be opened (${reason}): its folder is read-only, and what was last written is in a log beside it.`
  return new DataDirError(path, `${what} ${advice}`, cause)
}

/** In a read-only folder a cleanly closed database has no log: the file alone is complete and is opened as immutable. */
export function readableAt(path: string): string | URL {
  if (isWritable(dirname(path))) return path
  const log = `${path}-wal`
  if (existsSync(log) && statSync(log).size > 0) return path
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return address
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
