// Opens the database of a DATA_DIR without its lock and without changing a byte, for commands that only read while a server
// may be running. Throws a DataDirError.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import { checkFile, readableAt } from './check-file.ts'
import { DataDirError } from './data-dir-error.ts'
import { databasePathIn } from './data-dir.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'

export function openReadOnly(dataDir: string): Database & Disposable {
  const path = databasePathIn(dataDir)
  if (!existsSync(path))
    throw new DataDirError(path, `There is no database at ${path}: nothing was served from there yet.`)
  checkFile(path)
  const connection = new DatabaseSync(readableAt(path), { readOnly: true })
  const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version < migrations.length) {
    connection.close()
    const advice = 'Start the server once: it brings the database up to date.'
    throw new DataDirError(path, `${path} was written by an older version of this program. ${advice}`)
  }
  const statements = new Map<string, StatementSync>()
  const close = () => connection.close()
  return {
    statement(sql) {
      const known = statements.get(sql) ?? connection.prepare(sql)
      statements.set(sql, known)
      return known
    },
    write: () => Promise.reject(new Error('this database was opened to be read')),
    truncateLog: () => false,
    // Nothing is written, so no group ever ends.
    onGroupEnd: () => {},
    close,
    [Symbol.dispose]: close,
  }
}
