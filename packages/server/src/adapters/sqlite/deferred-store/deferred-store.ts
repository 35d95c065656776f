// Deferred questions in SQLite: the questions and their leases survive a restart.
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredLimits, DeferredQuestion, DeferredStore } from '#ports/deferred-store/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteDeferredStoreOptions {
  readonly database: Database
  readonly clock: Clock
  readonly limits: DeferredLimits
}

type Row = Record<string, unknown>

const EXPIRED = `SELECT turn_id, question FROM deferred_questions
  WHERE leased_until <= ? AND expires_at <= ? ORDER BY expires_at, turn_id LIMIT ?`
const OWED = `SELECT turn_id, question FROM deferred_questions
  WHERE leased_until <= ? AND expires_at > ? ORDER BY accepted_at DESC, turn_id DESC LIMIT ?`
const COUNTS = `SELECT count(*) AS total, count(*) FILTER (WHERE principal_id = ?) AS own,
  count(*) FILTER (WHERE turn_id = ?) AS same FROM deferred_questions`
const INSERT = `INSERT INTO deferred_questions
  (turn_id, principal_id, accepted_at, expires_at, leased_until, question) VALUES (?, ?, ?, ?, 0, ?)`

export function sqliteDeferredStore({ database, clock, limits }: SqliteDeferredStoreOptions): DeferredStore {
  const sql = (text: string) => database.statement(text)

  const acceptNow = (question: DeferredQuestion): boolean => {
    const { turnId, principal, at, expiresAt } = question
    const counts: Row = sql(COUNTS).get(principal.id, turnId) ?? {}
    if (Number(counts['same']) > 0) return true
    if (Number(counts['total']) >= limits.countMax || Number(counts['own']) >= limits.perPrincipalMax) return false
    sql(INSERT).run(turnId, principal.id, at, expiresAt, JSON.stringify(question))
    return true
  }

  // Only this process uses the database, and the pause need not survive a restart.
  let nextAt = 0

  return {
    accept: (question) => database.write(() => acceptNow(question)),
    claim({ limit, leaseMs, expired, spacingMs }) {
      return database.write(() => {
        const now = clock.now()
        if (!expired && now < nextAt) return []
        const rows: Row[] = sql(expired ? EXPIRED : OWED).all(now, now, limit)
        const lease = sql('UPDATE deferred_questions SET leased_until = ? WHERE turn_id = ?')
        for (const row of rows) lease.run(now + leaseMs, String(row['turn_id']))
        if (!expired && rows.length > 0) nextAt = now + spacingMs
        return rows.map((row) => JSON.parse(String(row['question'])) as DeferredQuestion)
      })
    },
    async done(turnId) {
      await database.write(() => sql('DELETE FROM deferred_questions WHERE turn_id = ?').run(turnId))
    },
    async count() {
      const row: Row = sql('SELECT count(*) AS total FROM deferred_questions').get() ?? {}
      return Number(row['total'])
    },
    async ofPrincipal(principalId) {
      const own = 'SELECT question FROM deferred_questions WHERE principal_id = ? ORDER BY accepted_at, turn_id'
      const rows: Row[] = sql(own).all(principalId)
      return rows.map((row) => JSON.parse(String(row['question'])) as DeferredQuestion)
    },
  }
}
