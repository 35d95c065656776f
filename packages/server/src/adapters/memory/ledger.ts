// The books in memory: for tests and simulations.
import type { Ledger, LedgerFilter, LedgerRow } from '#ports/ledger.ts'

export function memoryLedger(): Ledger {
  const rows = new Map<string, LedgerRow>()
  const matches = (row: LedgerRow, filter: LedgerFilter) =>
    (filter.principalId ?? row.principalId) === row.principalId &&
    (filter.sessionId ?? row.sessionId) === row.sessionId &&
    (filter.day ?? row.day) === row.day &&
    (filter.model ?? row.model) === row.model

  return {
    async record(added) {
      for (const row of added) {
        const key = `${row.turnId} ${row.attempt}`
        if (!rows.has(key)) rows.set(key, row)
      }
    },
    async ofTurn(turnId) {
      return [...rows.values()].filter((row) => row.turnId === turnId).sort((a, b) => a.attempt - b.attempt)
    },
    async totals(filter) {
      const own = [...rows.values()].filter((row) => matches(row, filter))
      const sum = (part: 'inputTokens' | 'outputTokens' | 'costMicroUsd') =>
        own.reduce((total, row) => total + row[part], 0)
      return {
        rows: own.length,
        inputTokens: sum('inputTokens'),
        outputTokens: sum('outputTokens'),
        costMicroUsd: sum('costMicroUsd'),
      }
    },
  }
}
