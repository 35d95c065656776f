// Overrides and their audit in SQLite. A change and its audit line are one write; a line is never changed.
import { USER_OVERRIDES_MAX } from '#domain/budget/overrides.ts'
import type { ExperimentState } from '#domain/experiments/experiment-state.ts'
import type { UserOverride } from '#domain/budget/overrides.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { Database } from '../files/database.ts'

const TABLES = {
  tiers: { name: 'tier_overrides', key: 'tier' },
  users: { name: 'user_overrides', key: 'principal_id' },
  experiments: { name: 'experiments', key: 'name' },
} as const
type Table = keyof typeof TABLES

export interface SqliteAdminStoreOptions {
  readonly database: Pick<Database, 'statement' | 'write'>
  readonly usersMax?: number
}

export function sqliteAdminStore({ database, usersMax = USER_OVERRIDES_MAX }: SqliteAdminStoreOptions): AdminStore {
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

  function hasRoomFor(principalId: string, now: number): boolean {
    const users = () => Number(database.statement('SELECT count(*) AS users FROM user_overrides').get()?.['users'])
    if (find('users', principalId) !== null || users() < usersMax) return true
    const expired = `json_extract(override, '$.expiresAt') <= ?`
    database.statement(`DELETE FROM user_overrides WHERE ${expired}`).run(now)
    return users() < usersMax
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
      }
    },
    setTier: (tier, figures, change) =>
      database.write(() => {
        const action = figures === undefined ? 'tier-cleared' : 'tier-set'
        return note({ ...change, action, ...put('tiers', tier, figures) })
      }),
    setUser: (principalId, override, change) =>
      database.write(() => {
        if (override !== undefined && !hasRoomFor(principalId, change.at)) return undefined
        const action = override === undefined ? 'user-cleared' : 'user-set'
        return note({ ...change, action, ...put('users', principalId, override) })
      }),
    setExperiment: (name, { action, before, after, newKey }, change) =>
      database.write(() => {
        if (JSON.stringify(find('experiments', name)) !== JSON.stringify(before ?? null)) return undefined
        database.statement('INSERT OR IGNORE INTO experiment_key VALUES (1, ?)').run(newKey)
        return note({ ...change, action, ...put('experiments', name, after) })
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
