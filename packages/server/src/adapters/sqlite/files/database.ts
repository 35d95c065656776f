// One SQLite file, opened after it was looked at without touching it, and written in groups: what is asked for
// before the next turn of the event loop, or while the disk is still busy with the group before, shares one commit and
// one wait for the disk. A write is durable once its promise resolves; one that throws is undone alone. Reads see only
// what is committed.
import { chmodSync, closeSync, existsSync, fdatasync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import type { Clock } from '#ports/clock/port.ts'
import { checkFile } from './check-file.ts'
import { DataDirError } from './data-dir-error.ts'
import { APPLICATION_ID, migrations } from './migrations.ts'

/** More than a file can have. */
const PAGES_MAX = 2 ** 31 - 1
const BUSY_TIMEOUT_MS = 5000
const GROUP_WRITES_MAX = 1000
/** Far beyond what a healthy disk lets gather; past it the disk is the problem, and memory must not become another. */
const PENDING_WRITES_MAX = 50_000

export interface Database {
  /** Prepared once; `sql` is one of a fixed set of texts. */
  statement(sql: string): StatementSync
  /**
   * Runs `change` inside the next group's transaction. It must be synchronous and must not begin or end one. One that is
   * `sure` throws only when the disk does: it then takes its group with it, and costs half as much.
   */
  write<Value>(change: () => Value, sure?: 'sure'): Promise<Value>
  /**
   * Calls `listener` when a group has ended, before its writers are told: for what `change` does outside the file. After
   * a failed wait for the disk it is `kept` as well: the file has it, though nobody can promise for how long.
   */
  onGroupEnd(listener: (end: GroupEnd) => void): void
  /** Empties the write-ahead log, which still has what was deleted; false while a reader needs it. */
  truncateLog(): boolean
  /** Copies the file as it is now to a new one, while writes go on. */
  backUp(path: string): Promise<void>
  /** Writes what is pending, then closes the file. */
  close(): void
}

export type GroupEnd = 'kept' | 'undone'

interface PendingWrite {
  readonly change: () => unknown
  readonly isSure: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Tells a caller that its write is done, or that the disk failed after all. */
type Settle = (failure?: Error) => void

interface Group {
  readonly end: GroupEnd
  readonly settle: readonly Settle[]
}

export interface DatabaseOptions {
  readonly path: string
  readonly clock: Clock
  /**
   * Where a commit waits for the disk: `here`, and everything waits with it (the default); or `aside`, in a thread of
   * Node's pool, while the process goes on. A write resolves after it either way.
   */
  readonly sync?: 'here' | 'aside'
}

const PRIVATE = 0o600

/** The file, its log and its index are for their owner alone, whatever the umask, and also where they were not before. */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, PRIVATE)
}

export function openDatabase({ path, clock, sync = 'here' }: DatabaseOptions): Database {
  if (existsSync(path)) checkFile(path)
  let connection: DatabaseSync | undefined
  try {
    // Made here and not by SQLite, which would give it the umask's mode; its log and index get that of the file.
    if (!existsSync(path)) closeSync(openSync(path, 'wx', PRIVATE))
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // What is deleted is overwritten: nobody's words stay in free pages.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    closeToOthers(path)
    migrate(connection)
    if (sync === 'here') return new GroupedDatabase(connection, clock)
    // What FULL adds to NORMAL is the wait for the log's file after a commit: that we do ourselves, and not here.
    connection.exec('PRAGMA synchronous = NORMAL')
    return new GroupedDatabase(connection, clock, openSync(`${path}-wal`, 'r+'))
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
  /** The write-ahead log, when the disk is waited for aside. */
  readonly #logFile: number | undefined
  readonly #statements = new Map<string, StatementSync>()
  readonly #groupListeners: ((end: GroupEnd) => void)[] = []
  #pending: PendingWrite[] = []
  #isScheduled = false
  #isClosed = false
  #isSyncing = false

  constructor(connection: DatabaseSync, clock: Clock, logFile?: number) {
    this.#connection = connection
    this.#clock = clock
    this.#logFile = logFile
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#connection.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }

  write<Value>(change: () => Value, sure?: 'sure'): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the database is closed'))
      if (this.#pending.length >= PENDING_WRITES_MAX) return reject(new Error('too many writes wait for the disk'))
      const isSure = sure === 'sure'
      this.#pending.push({ change, isSure, resolve: resolve as (value: unknown) => void, reject })
      this.#schedule()
    })
  }

  onGroupEnd(listener: (end: GroupEnd) => void): void {
    this.#groupListeners.push(listener)
  }

  truncateLog(): boolean {
    return this.#connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  }

  async backUp(path: string): Promise<void> {
    closeSync(openSync(path, 'wx', PRIVATE))
    // By a reader of its own: on our connection a step that meets a write fails. In one step, so that no write starts it again.
    const reader = new DatabaseSync(this.#connection.location() ?? '', { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    try {
      await backup(reader, path, { rate: PAGES_MAX })
    } finally {
      reader.close()
    }
  }

  close(): void {
    if (this.#isClosed) return
    // Closing waits for the disk itself.
    while (this.#pending.length > 0) this.#tellAll(this.#commitGroup())
    this.#isClosed = true
    this.#statements.clear()
    this.#connection.close()
    if (this.#logFile !== undefined && !this.#isSyncing) closeSync(this.#logFile)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isSyncing) return
    this.#isScheduled = true
    this.#clock.defer(() => this.#writeNow())
  }

  #writeNow(): void {
    this.#isScheduled = false
    if (this.#isClosed || this.#pending.length === 0) return
    const group = this.#commitGroup()
    if (this.#logFile === undefined || group.end === 'undone') this.#tellAll(group)
    else this.#syncAside(this.#logFile, group)
    if (this.#pending.length > 0) this.#schedule()
  }

  #syncAside(logFile: number, group: Group): void {
    this.#isSyncing = true
    fdatasync(logFile, (error) => {
      this.#isSyncing = false
      if (this.#isClosed) closeSync(logFile)
      this.#tellAll(group, error ?? undefined)
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  /** Commits the next group; answers what to tell its callers once it is on the disk. */
  #commitGroup(): Group {
    const group = this.#pending.slice(0, GROUP_WRITES_MAX)
    this.#pending = this.#pending.slice(GROUP_WRITES_MAX)
    try {
      this.statement('BEGIN IMMEDIATE').run()
      const settle = group.map((write) => (write.isSure ? run(write) : this.#runAlone(write)))
      this.statement('COMMIT').run()
      return { end: 'kept', settle }
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      return {
        end: 'undone',
        settle: group.map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      }
    }
  }

  /** Nobody hears of a write before it is on the disk. */
  #tellAll({ end, settle }: Group, failure?: Error): void {
    for (const listener of this.#groupListeners) listener(end)
    for (const tell of settle) tell(failure)
  }

  /** Runs one write in a savepoint and answers what to tell its caller after the commit. */
  #runAlone(write: PendingWrite): Settle {
    this.statement('SAVEPOINT one').run()
    try {
      const settle = run(write)
      this.statement('RELEASE one').run()
      return settle
    } catch (error) {
      // A full disk or a failed read ends the whole transaction by itself: then the group fails together.
      if (!this.#connection.isTransaction) throw error
      this.statement('ROLLBACK TO one').run()
      this.statement('RELEASE one').run()
      return () => write.reject(error)
    }
  }
}

function run({ change, resolve, reject }: PendingWrite): Settle {
  const value = change()
  return (failure) => (failure === undefined ? resolve(value) : reject(failure))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
