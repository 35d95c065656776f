// The tables behind the budgets. Counters change by atomic increments, and nothing here decides. Every method that writes
// must be called inside a write of the database.
import type { Day } from '#domain/budget/day.ts'
import type { Amounts, Hold } from '#domain/budget/quota.ts'
import { NOTHING } from '#domain/budget/quota.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'
import type { Database } from '../files/database.ts'

/** Counters are stored this long after their day, which covers the end of the day in every time zone. */
const KEEP_MS = 48 * 3_600_000
const SWEEP_MAX = 16

export interface HoldRow {
  readonly hold: Hold
  /** The part of the grant that is still reserved. */
  readonly reserved: Amounts
  readonly key: string
  readonly acceptedAt: number
  readonly expiresAt: number
  readonly state: 'held' | 'settled' | 'released'
  readonly overage?: boolean
}

/** Whether another node granted the turn and this store has only its claim: such a row never held anything. */
export function isAlone(row: HoldRow | undefined): boolean {
  return row !== undefined && row.expiresAt === row.acceptedAt
}

interface DayUse {
  readonly used: Amounts
  readonly messages: number
}

export interface ClaimRow {
  readonly fingerprint: string
  readonly turnId: string
  readonly sessionId: string
  readonly until: number
}

type Row = Record<string, unknown>
type Given = string | number

const OVER = [
  'DELETE FROM day_use WHERE (principal_id, day) IN (SELECT principal_id, day FROM day_use WHERE forget_at <= ? LIMIT ?)',
  'DELETE FROM session_use WHERE session_id IN (SELECT session_id FROM session_use WHERE forget_at <= ? LIMIT ?)',
  'DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE forget_at <= ? LIMIT ?)',
] as const
const CLAIMS_OVER =
  'DELETE FROM claims WHERE (principal_id, key) IN (SELECT principal_id, key FROM claims WHERE until <= ? LIMIT ?)'

export class BudgetTables {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  hold(id: string): HoldRow | undefined {
    const row = this.#get('SELECT * FROM holds WHERE id = ?', id)
    return row === undefined ? undefined : toHoldRow(row)
  }

  liveHold(id: string, now: number): HoldRow | undefined {
    const row = this.hold(id)
    return row !== undefined && row.state === 'held' && now < row.expiresAt ? row : undefined
  }

  liveHoldOfSession(sessionId: string, now: number): string | undefined {
    const live = `SELECT id FROM holds WHERE session_id = ? AND state = 'held' AND expires_at > ? LIMIT 1`
    const row = this.#get(live, sessionId, now)
    return row === undefined ? undefined : String(row['id'])
  }

  reserved(principalId: string, dayKey: string, now: number): Amounts {
    const sum = `SELECT total(input_tokens) AS input_tokens, total(output_tokens) AS output_tokens,
      total(cost_micro_usd) AS cost_micro_usd
      FROM holds WHERE principal_id = ? AND state = 'held' AND expires_at > ? AND day = ?`
    return toAmounts(this.#get(sum, principalId, now, dayKey))
  }

  /** Replaces a released hold that has the same id. */
  putHold({ hold, reserved, key, acceptedAt, expiresAt, state }: HoldRow, now: number): void {
    const { id, principalId, sessionId, day, granted } = hold
    const put = 'INSERT OR REPLACE INTO holds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)'
    const amounts = [...listed(granted), ...listed(reserved)]
    const times = [acceptedAt, expiresAt, state, forgetAt(day, now)]
    this.#run(put, id, principalId, sessionId, day.key, day.endsAt, ...amounts, key, ...times)
  }

  setReserved(id: string, reserved: Amounts): void {
    const set = 'UPDATE holds SET input_tokens = ?, output_tokens = ?, cost_micro_usd = ? WHERE id = ?'
    this.#run(set, ...listed(reserved), id)
  }

  setExpiry(id: string, expiresAt: number): void {
    this.#run('UPDATE holds SET expires_at = ? WHERE id = ?', expiresAt, id)
  }

  setState(id: string, state: HoldRow['state'], overage = false): void {
    this.#run('UPDATE holds SET state = ?, overage = ? WHERE id = ?', state, overage ? 1 : 0, id)
  }

  claim(principalId: string, key: string): ClaimRow | undefined {
    const row = this.#get('SELECT * FROM claims WHERE principal_id = ? AND key = ?', principalId, key)
    if (row === undefined) return undefined
    const [fingerprint, turnId, sessionId] = [row['fingerprint'], row['turn_id'], row['session_id']].map(String)
    return {
      fingerprint: fingerprint ?? '',
      turnId: turnId ?? '',
      sessionId: sessionId ?? '',
      until: Number(row['until']),
    }
  }

  putClaim(ask: Pick<AdmissionAsk, 'principalId' | 'turnId' | 'sessionId' | 'idempotency'>, now: number): void {
    const { principalId, turnId, sessionId, idempotency } = ask
    const { key, fingerprint, claimMs } = idempotency
    const put = 'INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?)'
    this.#run(put, principalId, key, fingerprint, turnId, sessionId, now + claimMs)
  }

  /**
   * Sets the end of a turn's claim. After that end the key may belong to another turn, so this and the methods below
   * compare the hold.
   */
  endClaim({ hold, key }: HoldRow, until: number): void {
    const end = 'UPDATE claims SET until = ? WHERE principal_id = ? AND key = ? AND turn_id = ?'
    this.#run(end, until, hold.principalId, key, hold.id)
  }

  dropClaim({ hold, key }: HoldRow): void {
    this.#run('DELETE FROM claims WHERE principal_id = ? AND key = ? AND turn_id = ?', hold.principalId, key, hold.id)
  }

  dayUse(principalId: string, dayKey: string): DayUse {
    const row = this.#get('SELECT * FROM day_use WHERE principal_id = ? AND day = ?', principalId, dayKey)
    return { used: toAmounts(row), messages: Number(row?.['messages'] ?? 0) }
  }

  sessionUse(sessionId: string): Amounts {
    return toAmounts(this.#get('SELECT * FROM session_use WHERE session_id = ?', sessionId))
  }

  countMessage(hold: Hold, messages: number, now: number): void {
    this.#addToDay(hold, { used: NOTHING, messages }, now)
  }

  charge(hold: Hold, used: Amounts, now: number): void {
    this.#addToDay(hold, { used, messages: 0 }, now)
    const add = `INSERT INTO session_use VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
      cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd, forget_at = excluded.forget_at`
    this.#run(add, hold.sessionId, ...listed(used), now + KEEP_MS)
  }

  /**
   * Resets the day: its use becomes zero, and its messages are those of the live holds. Returns the use that was cleared.
   */
  resetDay(principalId: string, dayKey: string, now: number): Amounts {
    const { used } = this.dayUse(principalId, dayKey)
    const held = `SELECT count(*) FROM holds WHERE principal_id = ? AND state = 'held' AND expires_at > ? AND day = ?`
    const reset = `UPDATE day_use SET input_tokens = 0, output_tokens = 0, cost_micro_usd = 0, messages = (${held})
      WHERE principal_id = ? AND day = ?`
    this.#run(reset, principalId, now, dayKey, principalId, dayKey)
    return used
  }

  resetSession(sessionId: string): Amounts {
    const used = this.sessionUse(sessionId)
    this.#run('DELETE FROM session_use WHERE session_id = ?', sessionId)
    // The dollars of a session are counted by the day alone.
    return { ...used, costMicroUsd: 0 }
  }

  /** Deletes a few expired rows with every admission, so that the tables stay small and no call is slow. */
  sweep(now: number): void {
    for (const forget of OVER) this.#run(forget, now, SWEEP_MAX)
    // A late settlement may still extend a claim that has ended.
    this.#run(CLAIMS_OVER, now - KEEP_MS, SWEEP_MAX)
  }

  #addToDay({ principalId, day }: Hold, { used, messages }: DayUse, now: number): void {
    const add = `INSERT INTO day_use VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
      cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd, messages = messages + excluded.messages,
      forget_at = excluded.forget_at`
    this.#run(add, principalId, day.key, ...listed(used), messages, forgetAt(day, now))
  }

  #get(sql: string, ...given: Given[]): Row | undefined {
    return this.#database.statement(sql).get(...given)
  }

  #run(sql: string, ...given: Given[]): void {
    this.#database.statement(sql).run(...given)
  }
}

const forgetAt = (day: Day, now: number) => Math.max(day.endsAt, now) + KEEP_MS
const listed = (amounts: Amounts) => [amounts.inputTokens, amounts.outputTokens, amounts.costMicroUsd] as const

function toAmounts(row: Row | undefined, prefix = ''): Amounts {
  const number = (column: string) => Number(row?.[`${prefix}${column}`] ?? 0)
  return {
    inputTokens: number('input_tokens'),
    outputTokens: number('output_tokens'),
    costMicroUsd: number('cost_micro_usd'),
  }
}

function toHoldRow(row: Row): HoldRow {
  const hold = {
    id: String(row['id']),
    principalId: String(row['principal_id']),
    sessionId: String(row['session_id']),
    day: { key: String(row['day']), endsAt: Number(row['day_ends_at']) },
    granted: toAmounts(row, 'granted_'),
  }
  return {
    hold,
    reserved: toAmounts(row),
    key: String(row['claim_key']),
    acceptedAt: Number(row['accepted_at']),
    expiresAt: Number(row['expires_at']),
    state: row['state'] as HoldRow['state'],
    overage: row['overage'] === 1,
  }
}
