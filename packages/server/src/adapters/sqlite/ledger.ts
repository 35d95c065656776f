// The books in SQLite: rows are added and never changed.
import type { Ledger, LedgerFilter, LedgerRow } from '#ports/ledger.ts'
import type { Database } from './database.ts'

const COLUMNS =
  'turn_id, attempt, principal_id, session_id, day, at, model, tier, input_tokens, output_tokens, estimated, cost_micro_usd, outcome'
const INSERT = `INSERT INTO ledger (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const TOTALS =
  'SELECT count(*) AS rows, total(input_tokens) AS input, total(output_tokens) AS output, total(cost_micro_usd) AS cost FROM ledger'
const FILTERS = { principalId: 'principal_id', sessionId: 'session_id', day: 'day', model: 'model' } as const

type Row = Record<string, unknown>

export function sqliteLedger({ database }: { readonly database: Database }): Ledger {
  return {
    async record(rows) {
      if (rows.length === 0) return
      await database.write(() => {
        for (const row of rows) database.statement(INSERT).run(...values(row))
      })
    },
    async ofTurn(turnId) {
      const rows = database.statement(`SELECT ${COLUMNS} FROM ledger WHERE turn_id = ? ORDER BY attempt`).all(turnId)
      return rows.map(toRow)
    },
    async totals(filter) {
      const { where, given } = conditions(filter)
      const row: Row = database.statement(`${TOTALS}${where}`).get(...given) ?? {}
      return {
        rows: Number(row['rows']),
        inputTokens: Number(row['input']),
        outputTokens: Number(row['output']),
        costMicroUsd: Number(row['cost']),
      }
    },
  }
}

/** Sixteen texts at most: only names of columns go into them, never a value. */
function conditions(filter: LedgerFilter): { readonly where: string; readonly given: readonly string[] } {
  const named = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((key) => filter[key] !== undefined)
  if (named.length === 0) return { where: '', given: [] }
  return {
    where: ` WHERE ${named.map((key) => `${FILTERS[key]} = ?`).join(' AND ')}`,
    given: named.map((key) => filter[key] ?? ''),
  }
}

function values(row: LedgerRow): (string | number)[] {
  const { turnId, attempt, principalId, sessionId, day, at, model, tier } = row
  const { inputTokens, outputTokens, estimated, costMicroUsd, outcome } = row
  const who = [turnId, attempt, principalId, sessionId, day, at, model, tier]
  return [...who, inputTokens, outputTokens, estimated ? 1 : 0, costMicroUsd, outcome]
}

function toRow(row: Row): LedgerRow {
  return {
    turnId: String(row['turn_id']),
    attempt: Number(row['attempt']),
    principalId: String(row['principal_id']),
    sessionId: String(row['session_id']),
    day: String(row['day']),
    at: Number(row['at']),
    model: String(row['model']),
    tier: String(row['tier']) as LedgerRow['tier'],
    inputTokens: Number(row['input_tokens']),
    outputTokens: Number(row['output_tokens']),
    estimated: Number(row['estimated']) === 1,
    costMicroUsd: Number(row['cost_micro_usd']),
    outcome: String(row['outcome']),
  }
}
