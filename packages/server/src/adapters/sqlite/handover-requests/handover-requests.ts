// Requests for a person in SQLite: columns for what is asked for or changes, the rest as JSON.
import type { HandoverRequest, HandoverRequests, HandoverState } from '#ports/handover-requests/port.ts'
import type { Database } from '../files/database.ts'

type Row = Record<string, unknown>
type Given = Omit<HandoverRequest, 'id' | 'sessionId' | 'principalId' | 'at' | 'state'>

const SELECT = 'SELECT id, session_id, principal_id, at, state, given FROM handover_requests'
const NEWEST = 'ORDER BY at DESC, id DESC'
const LATEST_POSITION = Number.MAX_SAFE_INTEGER

export function sqliteHandoverRequests({ database }: { readonly database: Database }): HandoverRequests {
  const sql = (text: string) => database.statement(text)
  const all = (where: string, ...given: readonly (string | number)[]): readonly HandoverRequest[] =>
    sql(`${SELECT} WHERE ${where}`)
      .all(...given)
      .map((row) => toRequest(row, JSON.parse(String(row['given'])) as Given))
  const find = (id: string) => all('id = ?', id)[0]
  const countOf = (principalId: string, since: number): number =>
    Number(
      sql('SELECT count(*) AS n FROM handover_requests WHERE principal_id = ? AND at > ?').get(principalId, since)?.[
        'n'
      ],
    )

  return {
    add: (asked, limit) =>
      database.write(() => {
        const { id, sessionId, principalId, at, ...given } = asked
        const [known] = all(`session_id = ? AND state <> 'closed'`, sessionId)
        if (known !== undefined) return known
        if (limit !== undefined && countOf(principalId, limit.since) >= limit.max) return undefined
        const insert =
          'INSERT INTO handover_requests (id, session_id, principal_id, at, state, given) VALUES (?, ?, ?, ?, ?, ?)'
        sql(insert).run(id, sessionId, principalId, at, 'open', JSON.stringify(given))
        return { ...asked, state: 'open' }
      }),
    find: async (id) => find(id),
    move: (id, { changed, from, to }) =>
      database.write(() => {
        const request = find(id)
        if (request === undefined || !from.includes(request.state)) return undefined
        const moved: HandoverRequest = { ...request, state: to, changed }
        const { id: _, sessionId: __, principalId: ___, at: ____, state, ...given } = moved
        sql('UPDATE handover_requests SET state = ?, given = ? WHERE id = ?').run(state, JSON.stringify(given), id)
        return moved
      }),
    async list({ after, limit, state }) {
      const { at, id } = after ?? { at: LATEST_POSITION, id: '' }
      if (state === undefined) return all(`(at, id) < (?, ?) ${NEWEST} LIMIT ?`, at, id, limit)
      return all(`state = ? AND (at, id) < (?, ?) ${NEWEST} LIMIT ?`, state, at, id, limit)
    },
    ofSession: async (sessionId) => all(`session_id = ? ${NEWEST}`, sessionId),
    ofPrincipal: async (principalId) => all(`principal_id = ? ${NEWEST}`, principalId),
    forget(of) {
      const [column, value] = 'sessionId' in of ? ['session_id', of.sessionId] : ['principal_id', of.principalId]
      const remove = `DELETE FROM handover_requests WHERE ${column} = ?`
      return database.write(() => Number(sql(remove).run(value).changes))
    },
    async adopt(guestId, userId) {
      const rename = 'UPDATE handover_requests SET principal_id = ? WHERE principal_id = ?'
      await database.write(() => sql(rename).run(userId, guestId))
    },
    sweep(before, limit) {
      const oldest = 'SELECT id FROM handover_requests WHERE at < ? ORDER BY at, id LIMIT ?'
      const remove = `DELETE FROM handover_requests WHERE id IN (${oldest})`
      return database.write(() => Number(sql(remove).run(before, limit).changes))
    },
  }
}

/** `given` is what the column of this name has. */
export function toRequest(row: Row, given: object): HandoverRequest {
  return {
    id: String(row['id']),
    sessionId: String(row['session_id']),
    principalId: String(row['principal_id']),
    at: Number(row['at']),
    state: String(row['state']) as HandoverState,
    ...(given as Given),
  }
}
