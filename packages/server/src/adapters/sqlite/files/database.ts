// One SQLite file, checked before it is opened and written in groups: writes of one tick of the event loop, or of the time
// that the disk needs for the previous group, share one commit and one sync. A write is durable when its promise resolves;
// a write that throws is rolled back alone. Reads see only committed rows.
import { chmodSync, closeSync, existsSync, fdatasync, openSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { CurrentSpan, Span, Telemetry } from '#ports/telemetry/port.ts'
import { checkFile } from './check-file.ts'
import { DataDirError } from './data-dir-error.ts'
import { APPLICATION_ID, migrations } from './migrations.ts'

const BUSY_TIMEOUT_MS = 5000
const GROUP_WRITES_MAX = 1000
/** Far more than accumulate on a healthy disk; beyond it the disk is the problem, and memory must stay bounded. */
const PENDING_WRITES_MAX = 50_000

export interface Database {
  /** Returns a statement that is prepared once; `sql` must be one of a fixed set of texts. */
  statement(sql: string): StatementSync
  /**
   * Runs `change` inside the next group's transaction. It must be synchronous and must not begin or end a transaction. A
   * `sure` change throws only because of the disk, so it needs no savepoint and costs half as much; when it throws, its
   * whole group fails.
   */
  write<Value>(change: () => Value, sure?: 'sure'): Promise<Value>
  /**
   * Calls `listener` when a group has ended, before its writers continue: for what `change` does outside the file. After a
   * failed sync the end is `kept` as well: the file has the rows, but they may not survive a crash.
   */
  onGroupEnd(listener: (end: GroupEnd) => void): void
  /** Truncates the write-ahead log, which still contains deleted rows; false while a reader needs it. */
  truncateLog(): boolean
  /** Commits the pending writes, then closes the file. */
  close(): void
}

export type GroupEnd = 'kept' | 'undone'

interface PendingWrite {
  readonly change: () => unknown
  readonly isSure: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Settles the promise of a write: done, or failed because of the disk. */
type Settle = (failure?: Error) => void

interface Group {
  readonly end: GroupEnd
  readonly settle: readonly Settle[]
  /** Why it was undone. */
  readonly cause?: unknown
  readonly spans: readonly Span[]
}

export interface DatabaseOptions {
  readonly path: string
  readonly clock: Clock
  /**
   * Where a commit waits for the disk: `here`, which blocks the process (the default), or `aside`, in a thread of Node's
   * pool. Either way a write resolves only after it.
   */
  readonly sync?: 'here' | 'aside'
  /** A commit is a span of each stage that waited for it. Default: of none. */
  readonly telemetry?: Pick<Telemetry, 'currentSpan'>
}

const PRIVATE = 0o600

/** Makes the file, its log and its index readable by their owner only, whatever the umask and whatever their mode was. */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, PRIVATE)
}

export function openDatabase(options: DatabaseOptions): Database {
  const { path, sync = 'here' } = options
  if (existsSync(path)) checkFile(path)
  let connection: DatabaseSync | undefined
  try {
    // Created here, because SQLite would use the umask's mode; log and index copy the mode of the file.
    if (!existsSync(path)) closeSync(openSync(path, 'wx', PRIVATE))
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // Deleted rows are overwritten: no shopper's words stay in free pages.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    closeToOthers(path)
    migrate(connection)
    if (sync === 'here') return new GroupedDatabase(connection, options)
    // FULL adds a sync of the log's file after each commit to NORMAL; with `aside` we do that sync ourselves, in another
    // thread.
    connection.exec('PRAGMA synchronous = NORMAL')
    return new GroupedDatabase(connection, options, openSync(`${path}-wal`, 'r+'))
  } catch (error) {
    connection?.close()
    throw new DataDirError(path, `The database ${path} cannot be opened: ${messageOf(error)}.`, error)
  }
}

function migrate(connection: DatabaseSync): void {
  const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version === migrations.length) return
  // All migrations in one transaction: after a crash the file has the old version, complete.
  connection.exec('BEGIN IMMEDIATE')
  for (const step of migrations.slice(version)) connection.exec(step)
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`)
}

class GroupedDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #clock: Clock
  readonly #telemetry: DatabaseOptions['telemetry']
  readonly #commit: SpanFields
  /** The write-ahead log's file, when syncs are done in another thread. */
  readonly #logFile: number | undefined
  readonly #statements = new Map<string, StatementSync>()
  readonly #groupListeners: ((end: GroupEnd) => void)[] = []
  #pending: PendingWrite[] = []
  /** The spans of the next commit: one for each stage that waits for it, with however many writes. */
  readonly #waiting = new Map<CurrentSpan, Span>()
  #isScheduled = false
  #isClosed = false
  #isSyncing = false

  constructor(connection: DatabaseSync, { clock, path, telemetry }: DatabaseOptions, logFile?: number) {
    this.#connection = connection
    this.#clock = clock
    this.#telemetry = telemetry
    this.#commit = { dbSystem: 'sqlite', dbNamespace: basename(path), dbOperation: 'COMMIT' }
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
      this.#beginSpan()
      this.#pending.push({ change, isSure, resolve: resolve as (value: unknown) => void, reject })
      this.#schedule()
    })
  }

  #beginSpan(): void {
    const stage = this.#telemetry?.currentSpan()
    if (stage !== undefined && !this.#waiting.has(stage)) this.#waiting.set(stage, stage.storeCall(this.#commit))
  }

  onGroupEnd(listener: (end: GroupEnd) => void): void {
    this.#groupListeners.push(listener)
  }

  truncateLog(): boolean {
    return this.#connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  }

  close(): void {
    if (this.#isClosed) return
    // SQLite syncs when it closes.
    while (this.#pending.length > 0) this.#settleAll(this.#commitGroup())
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
    if (this.#logFile === undefined || group.end === 'undone') this.#settleAll(group)
    else this.#syncAside(this.#logFile, group)
    if (this.#pending.length > 0) this.#schedule()
  }

  #syncAside(logFile: number, group: Group): void {
    this.#isSyncing = true
    fdatasync(logFile, (error) => {
      this.#isSyncing = false
      if (this.#isClosed) closeSync(logFile)
      this.#settleAll(group, error ?? undefined)
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  /** Commits the next group; returns the promises to settle when it is on the disk. */
  #commitGroup(): Group {
    const group = this.#pending.slice(0, GROUP_WRITES_MAX)
    this.#pending = this.#pending.slice(GROUP_WRITES_MAX)
    // Writes past the bound wait for a later commit, but the span of their stage ends with this one.
    const spans = [...this.#waiting.values()]
    this.#waiting.clear()
    try {
      this.statement('BEGIN IMMEDIATE').run()
      const settle = group.map((write) => (write.isSure ? run(write) : this.#runAlone(write)))
      this.statement('COMMIT').run()
      return { end: 'kept', settle, spans }
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      return {
        end: 'undone',
        cause: error,
        spans,
        settle: group.map(
          ({ reject }) =>
            () =>
              reject(error),
        ),
      }
    }
  }

  /** Settles the promises of a group, which must be on the disk. */
  #settleAll({ cause, end, settle, spans }: Group, failure?: Error): void {
    const size = settle.length > 1 ? { dbBatchSize: settle.length } : {}
    const error = failure ?? cause
    for (const span of spans) {
      if (error === undefined) span.end('completed', size)
      else span.end('failed', { ...size, ...failureFieldsOf(error) })
    }
    for (const listener of this.#groupListeners) listener(end)
    for (const settleWrite of settle) settleWrite(failure)
  }

  /** Runs one write in a savepoint and returns how to settle its promise after the commit. */
  #runAlone(write: PendingWrite): Settle {
    this.statement('SAVEPOINT one').run()
    try {
      const settle = run(write)
      this.statement('RELEASE one').run()
      return settle
    } catch (error) {
      // After a full disk or a failed read SQLite has rolled back the whole transaction: the group fails together.
      if (!this.#connection.isTransaction) throw error
      this.statement('ROLLBACK TO one').run()
      this.statement('RELEASE one').run()
      return () => write.reject(error)
    }
  }
}

/** `code` is of Node, `errcode` of SQLite. */
function failureFieldsOf(error: unknown): SpanFields {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return {
    errorClass: typeof code === 'string' ? code : 'unavailable',
    ...(typeof errcode === 'number' ? { dbStatus: String(errcode) } : {}),
  }
}

function run({ change, resolve, reject }: PendingWrite): Settle {
  const value = change()
  return (failure) => (failure === undefined ? resolve(value) : reject(failure))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
