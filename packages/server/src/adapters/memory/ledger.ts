// The ledger in memory: for tests and simulations.
import { addRow, comparePositions, GroupedTotals, matchesFilter, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Ledger, LedgerFilter, LedgerRow, RowPosition } from '#ports/ledger/port.ts'

const PAGE_ROWS = 500

export function memoryLedger(): Ledger {
  const rows = new Map<string, LedgerRow>()
  const matching = (filter: LedgerFilter) => [...rows.values()].filter((row) => matchesFilter(row, filter))

  async function page(filter: LedgerFilter, limit: number, after?: RowPosition): Promise<readonly LedgerRow[]> {
    return matching(filter)
      .filter((row) => after === undefined || comparePositions(row, after) > 0)
      .toSorted(comparePositions)
      .slice(0, limit)
  }

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
    async hasSpent(principalId, day) {
      const sums = matching({ principalId, day })
      return sums.some(({ costMicroUsd, inputTokens, outputTokens }) => costMicroUsd + inputTokens + outputTokens > 0)
    },
    totals: async (filter) => matching(filter).reduce(addRow, NO_TOTALS),
    async groups(filter, asked) {
      const groups = new GroupedTotals(asked)
      for (const row of matching(filter)) groups.add(row)
      return groups.page()
    },
    async rename(of, pseudonym) {
      const own = [...rows].filter(([, row]) => matchesFilter(row, of))
      for (const [key, row] of own) rows.set(key, { ...row, principalId: pseudonym })
      return own.length
    },
    page,
    rows: (filter) => eachOfPages<LedgerRow>(PAGE_ROWS, (limit, after) => page(filter, limit, after)),
  }
}
