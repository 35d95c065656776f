// Conversations in SQLite. The version in the session's row is the compare-and-set; turns are rows of their own, so that an
// append costs the same in a long conversation as in a short one.
import { inOrderAsked } from '#domain/turn/turn-order.ts'
import type { Clock } from '#ports/clock/port.ts'
import { ADOPTED_MAX } from '#ports/session-store/port.ts'
import type { AppendResult, Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Database } from '../files/database.ts'

export interface SqliteSessionStoreOptions {
  readonly database: Database
  readonly clock: Clock
}

type Row = Record<string, unknown>

const COLUMNS = 'id, principal_id, title, version, created_at, last_active_at'
const READ = `${COLUMNS}, summary, summary_up_to, summary_at, inherited_from`

export function sqliteSessionStore({ database, clock }: SqliteSessionStoreOptions): SessionStore {
  const sql = (text: string) => database.statement(text)

  const versionOf = (sessionId: string): number | undefined => {
    const row: Row | undefined = sql('SELECT version FROM sessions WHERE id = ?').get(sessionId)
    return row === undefined ? undefined : Number(row['version'])
  }

  const appendNow = (sessionId: string, expectedVersion: number, turn: StoredTurn): AppendResult => {
    const repeated: Row | undefined = sql('SELECT version FROM session_turns WHERE session_id = ? AND turn_id = ?').get(
      sessionId,
      turn.turnId,
    )
    if (repeated !== undefined) return { kind: 'appended', version: Number(repeated['version']) }
    const current = versionOf(sessionId)
    if (current === undefined) return { kind: 'gone' }
    if (current !== expectedVersion) return { kind: 'conflict', version: current }
    const version = current + 1
    sql('UPDATE sessions SET version = ?, last_active_at = max(last_active_at, ?) WHERE id = ?').run(
      version,
      clock.now(),
      sessionId,
    )
    sql('INSERT INTO session_turns (session_id, version, turn_id, turn) VALUES (?, ?, ?, ?)').run(
      sessionId,
      version,
      turn.turnId,
      JSON.stringify(turn),
    )
    return { kind: 'appended', version }
  }

  return {
    async create(session) {
      const { id, principalId, title, createdAt, lastActiveAt } = session
      const insert = `INSERT INTO sessions (${COLUMNS}) VALUES (?, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`
      await database.write(() => sql(insert).run(id, principalId, title, createdAt, lastActiveAt))
    },
    async find(sessionId) {
      const row: Row | undefined = sql(`SELECT ${READ} FROM sessions WHERE id = ?`).get(sessionId)
      return row === undefined ? undefined : toSession(row)
    },
    async recentTurns(sessionId, limit) {
      const newest = 'SELECT turn FROM session_turns WHERE session_id = ? ORDER BY version DESC LIMIT ?'
      const rows: Row[] = sql(newest).all(sessionId, Math.max(0, limit))
      return inOrderAsked(rows.map((row) => JSON.parse(String(row['turn'])) as StoredTurn).reverse())
    },
    append(sessionId, expectedVersion, turn) {
      return database.write(() => appendNow(sessionId, expectedVersion, turn))
    },
    async summarise(sessionId, upTo, text) {
      const keep = `UPDATE sessions SET summary = ?1, summary_up_to = ?2, summary_at = ?3
        WHERE id = ?4 AND version >= ?2 AND coalesce(summary_up_to, 0) < ?2`
      return database.write(() => Number(sql(keep).run(text, upTo, clock.now(), sessionId).changes) > 0)
    },
    async listOf(principalId, limit) {
      const list = `SELECT ${READ} FROM sessions WHERE principal_id = ? ORDER BY last_active_at DESC, id LIMIT ?`
      return sql(list).all(principalId, limit).map(toSession)
    },
    async remove(sessionId) {
      await database.write(() => sql('DELETE FROM sessions WHERE id = ?').run(sessionId))
    },
    async adopt(guestId, userId) {
      const newest = 'SELECT id FROM sessions WHERE principal_id = ? ORDER BY last_active_at DESC, id LIMIT ?'
      const handOver = `UPDATE sessions SET principal_id = ?, inherited_from = principal_id WHERE id IN (${newest})`
      await database.write(() => sql(handOver).run(userId, guestId, ADOPTED_MAX))
    },
    async sweep(idleBefore, limit) {
      const idle = 'SELECT id FROM sessions WHERE last_active_at < ? ORDER BY last_active_at LIMIT ?'
      const forget = `DELETE FROM sessions WHERE id IN (${idle})`
      return database.write(() => Number(sql(forget).run(idleBefore, limit).changes))
    },
  }
}

export function toSession(row: Row): Session {
  const inheritedFrom = row['inherited_from']
  return {
    id: String(row['id']),
    principalId: String(row['principal_id']),
    ...(typeof inheritedFrom === 'string' ? { inheritedFrom } : {}),
    title: String(row['title']),
    version: Number(row['version']),
    createdAt: Number(row['created_at']),
    lastActiveAt: Number(row['last_active_at']),
    ...summaryIn(row),
  }
}

function summaryIn({ summary: text, summary_up_to: upTo, summary_at: at }: Row): Pick<Session, 'summary'> {
  return typeof text === 'string' ? { summary: { text, upTo: Number(upTo), at: Number(at) } } : {}
}
