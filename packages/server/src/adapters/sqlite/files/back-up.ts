// Copies a DATA_DIR while its server runs (the database at one moment, and the secrets), and restores such a copy. Neither
// leaves a half-written copy: a folder gets its final name only when it is complete.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { checkFile, readableAt } from './check-file.ts'
import { DataDirError } from './data-dir-error.ts'
import { databasePathIn, lockDataDir, makeStepwise } from './data-dir.ts'

/** More pages than a file can have. */
const PAGES_MAX = 2 ** 31 - 1
const BUSY_TIMEOUT_MS = 5000
const PRIVATE = 0o600
const ASIDE = '.before-restore'
const secretsIn = (folder: string): string => join(folder, 'secrets.json')

/** Returns the size of the copy in bytes. Throws a DataDirError when the folder cannot be made or is not empty. */
export async function backUpDataDir(dataDir: string, folder: string): Promise<{ readonly bytes: number }> {
  const from = databasePathIn(dataDir)
  if (!existsSync(from)) throw new DataDirError(from, `There is no database at ${from}: there is nothing to back up.`)
  makeEmpty(folder)
  const path = databasePathIn(folder)
  const aside = `${path}.part`
  try {
    await copyDatabase(from, aside)
    if (existsSync(secretsIn(dataDir))) copyPrivate(secretsIn(dataDir), secretsIn(folder))
    renameSync(aside, path)
    return { bytes: statSync(path).size }
  } catch (error) {
    for (const file of [aside, `${aside}-journal`, secretsIn(folder)]) rmSync(file, { force: true })
    throw error
  }
}

/** The file as it is now, during writes. */
async function copyDatabase(from: string, to: string): Promise<void> {
  closeSync(openSync(to, 'wx', PRIVATE))
  // A connection of its own, because on the server's a step fails when a write interferes. In one step, so that no write
  // restarts it.
  using reader = new DatabaseSync(readableAt(from), { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  await backup(reader, to, { rate: PAGES_MAX })
}

function makeEmpty(folder: string): void {
  try {
    makeStepwise(folder)
  } catch (error) {
    throw new DataDirError(folder, `The folder ${folder} cannot be made: ${messageOf(error)}.`, error)
  }
  if (readdirSync(folder).length > 0)
    throw new DataDirError(folder, `The folder ${folder} is not empty. Name a new one for each backup.`)
}

/**
 * Replaces a DATA_DIR by a backup. The old folder stays beside it, with `.before-restore` at the end of its name. Throws a
 * DataDirError when the folder is not a backup, a server runs on the directory, or a store exists and `force` is not given.
 */
export function restoreDataDir(backup: string, dataDir: string, { force }: { readonly force: boolean }): void {
  const from = databasePathIn(backup)
  if (!existsSync(from) || statSync(from).size === 0)
    throw new DataDirError(from, `There is no backup in ${backup}: it has no ${from}.`)
  checkFile(from)
  using _lock = lockDataDir(dataDir)
  const path = databasePathIn(dataDir)
  const old = [path, `${path}-wal`, `${path}-shm`, secretsIn(dataDir)].filter((file) => existsSync(file))
  if (old.length > 0 && !force)
    throw new DataDirError(
      dataDir,
      `There is a store in ${dataDir} already. --force puts it aside and restores the backup.`,
    )
  const part = `${path}.part`
  copyPrivate(from, part)
  for (const file of old) renameSync(file, `${file}${ASIDE}`)
  if (existsSync(secretsIn(backup))) copyPrivate(secretsIn(backup), secretsIn(dataDir))
  renameSync(part, path)
}

function copyPrivate(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, PRIVATE)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
