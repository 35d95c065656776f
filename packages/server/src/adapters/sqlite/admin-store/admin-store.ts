// Overrides and their audit in SQLite. A change and its audit line are one write; a line is never changed.
import { USER_OVERRIDES_MAX } from '#domain/budget/overrides.ts'
import type { ExperimentState } from '#domain/experiments/experiment-state.ts'
import type { UserOverride } from '#domain/budget/overrides.ts'
import { SETTINGS_MAX } from '#domain/settings/run-settings.ts'
import type { Setting } from '#domain/settings/run-settings.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { Database } from '../files/database.ts'

const TABLES = {
  tiers: { name: 'tier_overrides', key: 'tier' },
  users: { name: 'user_overrides', key: 'principal_id' },
  experiments: { name: 'experiments', key: 'name' },
  settings: { name: 'settings', key: 'name' },
} as const
type Table = keyof typeof TABLES

export interface SqliteAdminStoreOptions {
  readonly database: Pick<Database, 'statement' | 'write'>
  readonly usersMax?: number
  readonly settingsMax?: number
}

export function sqliteAdminStore(options: SqliteAdminStoreOptions): AdminStore {
  const { database, usersMax = USER_OVERRIDES_MAX, settingsMax = SETTINGS_MAX } = options

  function note(entry: Omit<AuditEntry, 'number'>): AuditEntry {
    const insert = 'INSERT INTO audit (subject, entry) VALUES (?, ?)'
    const { lastInsertRowid } = database.statement(insert).run(entry.subject, JSON.stringify(entry))
    return { number: Number(lastInsertRowid), ...entry }
  }

  function all<Value>(table: Table): ReadonlyMap<string, Value> {
    const { name, key } = TABLES[table]
    const rows = database.statement(`SELECT ${key} AS key, override FROM ${name} ORDER BY ${key}`).all()
    return new Map(rows.map((row) => [String(row['key']), JSON.parse(String(row['override'])) as Value]))
  }

  function find(table: Table, id: string): unknown {
    const { name, key } = TABLES[table]
    const row = database.statement(`SELECT override FROM ${name} WHERE ${key} = ?`).get(id)
    return row === undefined ? null : (JSON.parse(String(row['override'])) as unknown)
  }

  function put(table: Table, id: string, value: object | undefined) {
    const { name, key } = TABLES[table]
    const before = find(table, id)
    if (value === undefined) database.statement(`DELETE FROM ${name} WHERE ${key} = ?`).run(id)
    else database.statement(`INSERT OR REPLACE INTO ${name} VALUES (?, ?)`).run(id, JSON.stringify(value))
    return { subject: id, before, after: value ?? null }
  }

  /** Expired entries make room. */
  function hasRoom(table: Table, id: string, { max, now }: { readonly max: number; readonly now: number }): boolean {
    const { name } = TABLES[table]
    const size = () => Number(database.statement(`SELECT count(*) AS size FROM ${name}`).get()?.['size'])
    if (find(table, id) !== null || size() < max) return true
    database.statement(`DELETE FROM ${name} WHERE json_extract(override, '$.expiresAt') <= ?`).run(now)
    return size() < max
  }

  return {
    async overrides(knownVersion) {
      const row = database.statement('SELECT max(number) AS version FROM audit').get()
      const version = Number(row?.['version'] ?? 0)
      if (version === knownVersion) return undefined
      const key = database.statement('SELECT key FROM experiment_key').get()?.['key']
      return {
        version,
        tiers: all<Partial<TierFigures>>('tiers'),
        users: all<UserOverride>('users'),
        experiments: {
          states: all<ExperimentState>('experiments'),
          ...(key === undefined ? {} : { key: String(key) }),
        },
        settings: all<Setting>('settings'),
      }
    },
    setTier: (tier, figures, change) =>
      database.write(() => {
        const action = figures === undefined ? 'tier-cleared' : 'tier-set'
        return note({ ...change, action, ...put('tiers', tier, figures) })
      }),
    setUser: (principalId, override, change) =>
      database.write(() => {
        const room = { max: usersMax, now: change.at }
        if (override !== undefined && !hasRoom('users', principalId, room)) return undefined
        const action = override === undefined ? 'user-cleared' : 'user-set'
        return note({ ...change, action, ...put('users', principalId, override) })
      }),
    setExperiment: (name, { action, before, after, newKey }, change) =>
      database.write(() => {
        if (JSON.stringify(find('experiments', name)) !== JSON.stringify(before ?? null)) return undefined
        database.statement('INSERT OR IGNORE INTO experiment_key VALUES (1, ?)').run(newKey)
        return note({ ...change, action, ...put('experiments', name, after) })
      }),
    setSetting: (name, setting, { subject, ...change }) =>
      database.write(() => {
        const room = { max: settingsMax, now: change.at }
        if (setting !== undefined && !hasRoom('settings', name, room)) return undefined
        return note({ ...change, ...put('settings', name, setting), subject })
      }),
    note: (entry) => database.write(() => note(entry)),
    async audit({ limit, below = Number.MAX_SAFE_INTEGER, subject }) {
      const of = subject === undefined ? '' : ' AND subject = ?'
      const select = `SELECT number, entry FROM audit WHERE number < ?${of} ORDER BY number DESC LIMIT ?`
      const rows = database.statement(select).all(below, ...(subject === undefined ? [] : [subject]), limit)
      return rows.map((row) => ({
        number: Number(row['number']),
        ...(JSON.parse(String(row['entry'])) as Omit<AuditEntry, 'number'>),
      }))
    },
  }
}
