// The directory of everything that persists. One process at a time may use it: it holds a lock that the operating system
// releases when the process dies, however it dies. The secrets are generated once.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Random } from '#ports/random/port.ts'
import { DataDirError, DataDirInUse } from './data-dir-error.ts'

const Secrets = Type.Object({ cookieKey: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) })
export type Secrets = Type.Static<typeof Secrets>

export interface DataDir extends Disposable {
  readonly path: string
  readonly databasePath: string
  readonly secrets: Secrets
  /** Secrets existed before this start, so a database must exist too. */
  readonly wasInUse: boolean
  /** The process that had it last ended without closing it. */
  readonly wasKilled: boolean
  /** Whether other users of the machine can read the directory. */
  readonly isOpenToOthers: boolean
}

export function openDataDir({ path, random }: { readonly path: string; readonly random: Random }): DataDir {
  makeDirectory(path)
  const lock = takeLock(path)
  try {
    const wasInUse = existsSync(join(path, 'secrets.json'))
    const secrets = loadSecrets(join(path, 'secrets.json'), random)
    return {
      path,
      databasePath: databasePathIn(path),
      secrets,
      wasInUse,
      wasKilled: lock.wasKilled,
      isOpenToOthers: (statSync(path).mode & 0o077) !== 0,
      [Symbol.dispose]: () => lock[Symbol.dispose](),
    }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

export const databasePathIn = (dataDir: string): string => join(dataDir, 'mangaassist.sqlite')

/** Throws a DataDirError when secrets exist without a database: starting with an empty one would look like lost data. */
export function refuseLostDatabase({ databasePath: database, path, wasInUse }: DataDir): void {
  if (!wasInUse) return
  const isThere = existsSync(database)
  if (isThere && statSync(database).size > 0) return
  throw new DataDirError(
    database,
    `The database ${database} is ${isThere ? 'empty' : 'missing'}, though secrets.json shows that ${path} has been in use. ` +
      'Bring it back with `mangaassist restore FOLDER --force`, or delete secrets.json to start with an empty store: ' +
      'every guest is unknown then.',
  )
}

/** Throws when another process holds the lock. Disposing releases it. */
export function lockDataDir(path: string): Disposable {
  makeDirectory(path)
  return takeLock(path)
}

function makeDirectory(path: string): void {
  try {
    makeStepwise(path)
  } catch (error) {
    throw new DataDirError(
      path,
      `The data folder ${path} cannot be made: ${messageOf(error)}. Set DATA_DIR to another folder.`,
      error,
    )
  }
}

/**
 * Makes one folder at a time: Node's recursive mkdir never returns where a parent exists but refuses children, as in /proc.
 */
export function makeStepwise(path: string): void {
  if (existsSync(path)) return void readdirSync(path)
  makeStepwise(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** The last line of the file with the holder's number, until it has closed everything. */
const HELD = 'held\n'

/**
 * Holds an exclusive transaction on a file of its own and never ends it: kill -9 frees it, and a stale file holds nothing.
 */
function takeLock(path: string): Disposable & { readonly wasKilled: boolean } {
  const lockPath = join(path, 'lock.sqlite')
  const pidPath = join(path, 'lock.pid')
  let connection: DatabaseSync | undefined
  try {
    if (!existsSync(lockPath)) closeSync(openSync(lockPath, 'a', 0o600))
    connection = new DatabaseSync(lockPath, { timeout: 0 })
    connection.exec('BEGIN EXCLUSIVE')
    // In a file beside the lock, because a fully locked file cannot be read.
    const wasKilled = existsSync(pidPath) && readFileSync(pidPath, 'utf8').endsWith(HELD)
    writeFileSync(pidPath, `${process.pid}\n${HELD}`, { mode: 0o600 })
    const held = connection
    const release = () => {
      if (!held.isOpen) return
      // Before the lock is released, because the next holder writes there too. The folder may have been removed.
      if (existsSync(pidPath)) writeFileSync(pidPath, `${process.pid}\n`)
      held.close()
    }
    return { wasKilled, [Symbol.dispose]: release }
  } catch (error) {
    connection?.close()
    if (!isBusy(error)) {
      throw new DataDirError(
        path,
        `The data folder ${path} cannot be locked with ${lockPath}: ${messageOf(error)}.`,
        error,
      )
    }
    throw new DataDirInUse(path, { pid: holderOf(pidPath), cause: error })
  }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function holderOf(pidPath: string): number | undefined {
  const [pid = ''] = existsSync(pidPath) ? readFileSync(pidPath, 'utf8').split('\n') : []
  return /^\d+$/.test(pid) ? Number(pid) : undefined
}

/** Reads the secrets of a folder and makes none. */
export function readSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  if (existsSync(path)) return decodeSecrets(path)
  throw new DataDirError(path, `There is no ${path}: without its key neither guests nor accounts can be recognised.`)
}

function loadSecrets(path: string, random: Random): Secrets {
  return existsSync(path) ? decodeSecrets(path) : makeSecrets(path, random)
}

function decodeSecrets(path: string): Secrets {
  try {
    return Value.Decode(Secrets, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new DataDirError(
      path,
      `The secrets in ${path} cannot be read, so the file was left alone. Restore it from a backup, or delete it: ` +
        'new ones are made, and every guest starts again without a history.',
      error,
    )
  }
}

function makeSecrets(path: string, random: Random): Secrets {
  const secrets = { cookieKey: randomKey(random) }
  // Written under another name and renamed: a crash must not leave half a file, which every later start would refuse.
  const asidePath = `${path}.new`
  const file = openSync(asidePath, 'w', 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(asidePath, path)
  return secrets
}

/** 32 bytes as base64url. Three ids have over 390 random bits, more than the digest. */
function randomKey(random: Random): string {
  const drawn = [random.id('a'), random.id('b'), random.id('c')].join(' ')
  return createHash('sha256').update(drawn).digest('base64url')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
