// The data of a DATA_DIR for `mangaassist migrate`. It is read from the tables, because the ports have no verbs that list
// everything; the folder is locked meanwhile, so that no server starts. A row that cannot be read is a DataDirError.
import { createHash } from 'node:crypto'
import { recordFrom } from '#domain/turn/record-codec.ts'
import type { Calibration } from '#domain/estimator/calibration.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredQuestion } from '#ports/deferred-store/port.ts'
import type { StoredUnit } from '#ports/migration/imports.ts'
import type { ShopSource, Spending, StoredCalibration, StoredConversation } from '#ports/migration/shop-source.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { LogRecord } from '#ports/turn-log/port.ts'
import { sqliteAdminStore } from '../admin-store/admin-store.ts'
import { sqliteAlarmBoard } from '../alarm-board/alarm-board.ts'
import { databasePathIn, lockDataDir, readSecrets } from '../files/data-dir.ts'
import type { Database } from '../files/database.ts'
import { openReadOnly } from '../files/read-only.ts'
import { sqliteLedger } from '../ledger/ledger.ts'
import { columnOf, valueIn } from '../records/records.ts'
import { sqliteModelHistory } from '../model-history/model-history.ts'
import { sqliteSessionStore, toSession } from '../session-store/session-store.ts'
import { ledgerSpending } from '../spend-chunks/spend-chunks.ts'
import { sqliteTurnRecords } from '../turn-records/turn-records.ts'
import { accountUses } from './account-uses.ts'
import { storedRows } from './stored-rows.ts'
import type { Row, Rows } from './stored-rows.ts'

export interface ShopSourceOptions {
  readonly clock: Clock
  /** Returns the stored name of an account for the name in its row, or for the id of its principal. */
  readonly accountsOf: (key: Uint8Array) => (name: string) => string
  /** Conversations that were last active before this are left out. */
  readonly idleBefore: number
  /** Logs of turns that ended before this are left out. */
  readonly endedBefore: number
  /** Records of turns that ended before this are left out, and of refusals. */
  readonly recordsBefore: number
  /** What the models did before this is left out. */
  readonly historyBefore: number
  /** Records that expire before this are left out. */
  readonly expiresBefore: number
}

export interface OpenShopSource extends Disposable {
  readonly source: ShopSource
  /** Signs guests' cookies unless others are configured, and names the accounts. */
  readonly key: Uint8Array
}

/** Throws a DataDirError: nothing is there, a server runs on it, or it is damaged or of another version. */
export function openShopSource(dataDir: string, options: ShopSourceOptions): OpenShopSource {
  using opened = new DisposableStack()
  // The database first: a lock would make the folder, and a mistyped path must not.
  openReadOnly(dataDir)[Symbol.dispose]()
  opened.use(lockDataDir(dataDir))
  const database = opened.use(openReadOnly(dataDir))
  const key = Buffer.from(readSecrets(dataDir).cookieKey, 'base64url')
  const source = shopSource(storedRows(database, databasePathIn(dataDir)), database, {
    ...options,
    accountOf: options.accountsOf(key),
  })
  const keep = opened.move()
  return { source, key, [Symbol.dispose]: () => keep.dispose() }
}

type SourceOptions = Omit<ShopSourceOptions, 'accountsOf'> & { readonly accountOf: (name: string) => string }

const SESSIONS = 'FROM sessions WHERE last_active_at >= ?'
const HISTORY = 'FROM model_history WHERE at >= ?'
const LOGS = 'FROM turn_logs JOIN turns ON turns.id = turn_id WHERE ended_at >= ?'
/** Figures that change with any change of a shop. */
const FIGURES = [
  'SELECT count(*), total(version), max(last_active_at), total(summary_up_to) FROM sessions',
  'SELECT count(*), total(length(turn)) FROM session_turns',
  'SELECT count(*), total(cost_micro_usd), total(input_tokens + output_tokens), max(at) FROM ledger',
  'SELECT count(*), total(input_tokens + output_tokens + messages), total(cost_micro_usd) FROM day_use',
  'SELECT count(*), max(at), total(length(received)) FROM turn_records',
  'SELECT max(number) FROM audit',
  'SELECT count(*), max(accepted_at) FROM deferred_questions',
  'SELECT count(*), max(expires_at), total(length(cart)) FROM carts',
  'SELECT count(*), max(placed_at) FROM orders',
  'SELECT count(*), max(at), total(length(state || given)) FROM handover_requests',
  'SELECT max(at), total(count) FROM model_history',
  'SELECT max(version) FROM alarm_state',
]

function shopSource(rows: Rows, database: Database, options: SourceOptions): ShopSource {
  const { clock, endedBefore, expiresBefore, historyBefore, idleBefore, recordsBefore } = options
  const count = (sql: string, ...given: (string | number)[]) =>
    Number(rows.first(`SELECT count(*) AS n ${sql}`, ...given)['n'])

  function* conversations(): Generator<StoredConversation> {
    const turns = 'SELECT turn FROM session_turns WHERE session_id = ? ORDER BY version'
    for (const row of rows.each('sessions', `SELECT * ${SESSIONS} ORDER BY id`, idleBefore)) {
      const session = toSession(row)
      yield {
        session,
        turns: rows.all('session_turns', turns, session.id).map((one) => rows.json(one, 'turn') as StoredTurn),
      }
    }
  }

  return {
    sessions: sqliteSessionStore({ database, clock }),
    ledger: sqliteLedger({ database, clock }),
    turnRecords: sqliteTurnRecords({ database, clock }),
    recordsFrom: recordsBefore,
    admin: sqliteAdminStore({ database }),
    alarms: sqliteAlarmBoard({ database }),
    counts: () => ({
      conversations: count(SESSIONS, idleBefore),
      turnLogs: count(LOGS, endedBefore),
      accountUses: accountUses(rows, options).count(),
      turnRecords: count('FROM turn_records WHERE at >= ? AND is_refusal = 0', recordsBefore),
      refusals: count('FROM turn_records WHERE at >= ? AND is_refusal = 1', recordsBefore),
      units: count('FROM turn_record_units WHERE expires_at > ?', clock.now()),
      auditLines: count('FROM audit'),
      calibrations: count('FROM calibrations'),
      deferred: count('FROM deferred_questions'),
      historySteps: Number(rows.first(`SELECT count(DISTINCT at) AS n ${HISTORY}`, historyBefore)['n']),
      alarmStates: count('FROM alarm_state'),
    }),
    unfinished: () => ({
      turns: count('FROM turns WHERE ended_at IS NULL'),
      holds: count(`FROM holds WHERE state = 'held' AND expires_at > ?`, clock.now()),
    }),
    digest: () =>
      FIGURES.reduce((hash, sql) => hash.update(JSON.stringify(rows.first(sql))), createHash('sha256')).digest('hex'),
    conversations,
    *principals() {
      const select = `SELECT DISTINCT principal_id ${SESSIONS} ORDER BY principal_id`
      for (const row of rows.each('sessions', select, idleBefore)) yield String(row['principal_id'])
    },
    *turnLogs() {
      for (const row of rows.each('turn_logs', `SELECT turn_id, records ${LOGS} ORDER BY turn_id`, endedBefore))
        yield (rows.json(row, 'records') as LogRecord[]).map(recordFrom)
    },
    accountUses: () => accountUses(rows, options).each(),
    *spending() {
      for (const row of ledgerSpending(database, clock.now())) yield toSpending(row)
    },
    *units() {
      const select = 'SELECT * FROM turn_record_units WHERE expires_at > ? ORDER BY principal_id'
      for (const row of rows.each('turn_record_units', select, clock.now())) yield toUnit(row)
    },
    *calibrations() {
      for (const row of rows.each('calibrations', 'SELECT * FROM calibrations ORDER BY key'))
        yield {
          key: String(row['key']),
          calibration: rows.json(row, 'calibration') as Calibration,
        } satisfies StoredCalibration
    },
    *deferred() {
      const select = 'SELECT question FROM deferred_questions ORDER BY accepted_at, turn_id'
      for (const row of rows.each('deferred_questions', select)) yield rows.json(row, 'question') as DeferredQuestion
    },
    *records(kind) {
      const select = `SELECT * FROM ${kind.name} WHERE ${columnOf(kind.time)} >= ? ORDER BY ${columnOf(kind.time)}`
      for (const row of rows.each(kind.name, select, expiresBefore - kind.keepMs))
        yield valueIn(kind, row, rows.json(row, kind.sqlite.body))
    },
    countOf: ({ keepMs, name, time }) => count(`FROM ${name} WHERE ${columnOf(time)} >= ?`, expiresBefore - keepMs),
    async *historySteps() {
      const history = sqliteModelHistory({ database, clock })
      const beginnings = rows.all('model_history', `SELECT DISTINCT at ${HISTORY} ORDER BY at`, historyBefore)
      for (const { at } of beginnings) yield* await history.read(Number(at), Number(at) + 1)
    },
  }
}

const toUnit = (row: Row): StoredUnit => ({
  principalId: String(row['principal_id']),
  unit: String(row['unit']),
  expiresAt: Number(row['expires_at']),
})

const KEEP_MS = 48 * 3_600_000

function toSpending(row: Row): Spending {
  const taken = Number(row['taken'])
  return {
    account: {
      name: row['name'] as Spending['account']['name'],
      day: { key: String(row['day']), endsAt: Number(row['forget_at']) - KEEP_MS },
    },
    takenMicroUsd: taken,
    highestMicroUsd: Math.max(taken, Number(row['highest'])),
  }
}
