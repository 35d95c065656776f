// The accounts of a database: what each used on its days and in its conversations, the turns that were charged for it,
// and its claims on idempotency keys.
import type { Clock } from '#ports/clock/port.ts'
import type { AccountUse } from '#ports/migration/imports.ts'
import type { UseOfAccount } from '#ports/migration/shop-source.ts'
import type { Row, Rows } from './stored-rows.ts'

export interface AccountUsesOptions {
  readonly clock: Clock
  readonly accountOf: (name: string) => string
}

/** What expires so soon is left out, or it would expire in the target during the move and be missed there. */
const SOON_MS = 6 * 3_600_000

const DAYS = `FROM day_use WHERE forget_at - ${SOON_MS} > ?`
/** The use of a conversation that was deleted is of no account: the conversation cannot be continued. */
const SESSIONS = `FROM session_use AS uses JOIN sessions ON sessions.id = uses.session_id
  WHERE uses.forget_at - ${SOON_MS} > ?`
/** All of the days above: what was charged once is not charged again from the ledger. */
const TURNS = `FROM holds WHERE forget_at - ${SOON_MS} > ? AND state = 'settled'`
const CLAIMS = `FROM claims JOIN holds ON holds.id = claims.turn_id WHERE until > ? AND state = 'settled'`

export function accountUses(
  rows: Rows,
  { accountOf, clock }: AccountUsesOptions,
): { count(): number; each(): Iterable<UseOfAccount> } {
  return {
    count: () =>
      [DAYS, SESSIONS, TURNS, CLAIMS].reduce(
        (sum, from) => sum + Number(rows.first(`SELECT count(*) AS n ${from}`, clock.now())['n']),
        0,
      ),
    *each() {
      for (const [select, toUse] of [
        [`SELECT * ${DAYS} ORDER BY principal_id, day`, toDay],
        [`SELECT uses.*, sessions.principal_id ${SESSIONS}`, toSessionUse],
        [`SELECT * ${TURNS}`, toTurn],
        [
          `SELECT claims.*, holds.day, holds.day_ends_at, holds.overage, holds.granted_input_tokens,
          holds.granted_output_tokens, holds.granted_cost_micro_usd ${CLAIMS}`,
          toClaim,
        ],
      ] as const) {
        for (const row of rows.each('budgets', select, clock.now()))
          yield { account: accountOf(String(row['principal_id'])), use: toUse(row) }
      }
    },
  }
}

function amountsIn(row: Row, prefix = '') {
  const number = (column: string) => Number(row[`${prefix}${column}`])
  return {
    inputTokens: number('input_tokens'),
    outputTokens: number('output_tokens'),
    costMicroUsd: number('cost_micro_usd'),
  }
}

function toDay(row: Row): AccountUse {
  const [messages, until] = [Number(row['messages']), Number(row['forget_at'])]
  return { kind: 'day', use: { day: String(row['day']), used: amountsIn(row), messages, until } }
}

function toSessionUse(row: Row): AccountUse {
  const { inputTokens, outputTokens } = amountsIn(row)
  const sessionId = String(row['session_id'])
  return { kind: 'session', use: { sessionId, inputTokens, outputTokens, until: Number(row['forget_at']) } }
}

function toTurn(row: Row): AccountUse {
  const use = {
    turnId: String(row['id']),
    sessionId: String(row['session_id']),
    day: { key: String(row['day']), endsAt: Number(row['day_ends_at']) },
    granted: amountsIn(row, 'granted_'),
    overage: row['overage'] === 1,
    key: String(row['claim_key']),
    until: Number(row['forget_at']),
  }
  return { kind: 'turn', use }
}

function toClaim(row: Row): AccountUse {
  const use = {
    key: String(row['key']),
    fingerprint: String(row['fingerprint']),
    turnId: String(row['turn_id']),
    sessionId: String(row['session_id']),
    day: { key: String(row['day']), endsAt: Number(row['day_ends_at']) },
    granted: amountsIn(row, 'granted_'),
    overage: row['overage'] === 1,
    until: Number(row['until']),
  }
  return { kind: 'claim', use }
}
