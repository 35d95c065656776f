// One SQLite file, opened after it was looked at without touching it, and written in groups: what is asked for
// before the next turn of the event loop shares one commit, hence one wait for the disk. A write is durable once
// its promise resolves; one that throws is undone alone. Reads see only what is committed.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import type { Clock } from '#ports/clock.ts'
import { checkFile } from './check-file.ts'
import { DataDirError } from './data-dir-error.ts'
import { APPLICATION_ID, migrations } from './migrations.ts'

const BUSY_TIMEOUT_MS = 5000
const GROUP_WRITES_MAX = 500
/** Far beyond what a healthy disk lets gather; past it the disk is the problem, and memory must not become another. */
const PENDING_WRITES_MAX = 50_000

export interface Database {
  /** Prepared once; `sql` is one of a fixed set of texts. */
  statement(sql: string): StatementSync
  /** Runs `change` inside the next group's transaction. It must be synchronous and must not begin or end one. */
  write<Value>(change: () => Value): Promise<Value>
  /** Writes what is pending, then closes the file. */
  close(): void
}

interface PendingWrite {
  readonly change: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

export function openDatabase({ path, clock }: { readonly path: string; readonly clock: Clock }): Database {
  if (existsSync(path)) checkFile(path)
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(connection)
    return new GroupedDatabase(connection, clock)
  } catch (error) {
    connection?.close()
    throw new DataDirError(path, `The database ${path} cannot be opened: ${messageOf(error)}.`, error)
  }
}

function migrate(connection: DatabaseSync): void {
  const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version === migrations.length) return
  // All steps or none: a crash in between leaves the old version whole.
  connection.exec('BEGIN IMMEDIATE')
  for (const step of migrations.slice(version)) connection.exec(step)
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`)
}

class GroupedDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #clock: Clock
  readonly #statements = new Map<string, StatementSync>()
  #pending: PendingWrite[] = []
  #isScheduled = false
  #isClosed = false

  constructor(connection: DatabaseSync, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#connection.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }

  write<Value>(change: () => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the database is closed'))
      if (this.#pending.length >= PENDING_WRITES_MAX) return reject(new Error('too many writes wait for the disk'))
      this.#pending.push({ change, resolve: resolve as (value: unknown) => void, reject })
      this.#schedule()
    })
  }

  close(): void {
    if (this.#isClosed) return
    while (this.#pending.length > 0) this.#commitGroup()
    this.#isClosed = true
    this.#statements.clear()
    this.#connection.close()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#clock.defer(() => {
      this.#isScheduled = false
      if (this.#isClosed || this.#pending.length === 0) return
      this.#commitGroup()
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  #commitGroup(): void {
    const group = this.#pending.slice(0, GROUP_WRITES_MAX)
    this.#pending = this.#pending.slice(GROUP_WRITES_MAX)
    let settle: readonly (() => void)[]
    try {
      this.statement('BEGIN IMMEDIATE').run()
      settle = group.map((write) => this.#runAlone(write))
      this.statement('COMMIT').run()
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      settle = group.map(
        ({ reject }) =>
          () =>
            reject(error),
      )
    }
    // Only now: nobody hears of a write that is not on the disk.
    for (const tell of settle) tell()
  }

  /** Runs one write in a savepoint and answers what to tell its caller after the commit. */
  #runAlone({ change, resolve, reject }: PendingWrite): () => void {
    this.statement('SAVEPOINT one').run()
    try {
      const value = change()
      this.statement('RELEASE one').run()
      return () => resolve(value)
    } catch (error) {
      // A full disk or a failed read ends the whole transaction by itself: then the group fails together.
      if (!this.#connection.isTransaction) throw error
      this.statement('ROLLBACK TO one').run()
      this.statement('RELEASE one').run()
      return () => reject(error)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
