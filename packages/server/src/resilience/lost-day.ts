// Compares a principal's day with the ledger before anything is granted from it, once in each epoch of the budgets' store: a day that
// the store has lost, or has in an older state, is charged again. Every turn is settled from its ledger rows, which charges it once.
// Turns of the day before are included, for what their conversations used. A ledger's index of users may show only some rows of a turn that
// has just ended, and a turn is settled once: such turns are read again by their id, which finds all rows.
import { chargeAgain, turnsOf } from '#domain/ledger/charge-again.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { matchesFilter } from '#domain/ledger/ledger-row.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger, LedgerFilter, LedgerRow } from '#ports/ledger/port.ts'
import type { AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LostDayParts {
  readonly ledger: Pick<Ledger, 'rows' | 'ofTurn'>
  readonly clock: Pick<Clock, 'now'>
  readonly budgets: Pick<Budgets, 'settle' | 'markCompared'>
  readonly telemetry: Telemetry
}

/** Much longer than an index is behind. */
const YOUNG_MS = 120_000

type OfDay = Pick<AdmissionAsk, 'principalId' | 'day'>

/** False when the ledger is unavailable. Rejects with StoreUnavailable when the budgets are. */
export type CompareDay = (of: OfDay, epoch: string) => Promise<boolean>

export function createCompareDay({ budgets, clock, ledger, telemetry }: LostDayParts): CompareDay {
  const comparing = new Map<string, Promise<boolean>>()

  async function compare(of: OfDay, epoch: string): Promise<boolean> {
    const turns = await orUnavailable(() => turnsOf(whole(ledger, clock.now() - YOUNG_MS), of))
    if (turns instanceof StoreUnavailable) {
      telemetry.count('budget_compare_failed_total')
      return false
    }
    const charged = await chargeAgain(budgets, turns)
    const { day, principalId } = of
    const messages = turns.filter(({ hold }) => hold.day.key === day.key).length
    await budgets.markCompared({ principalId, day, messages, epoch })
    if (charged === 0) return true
    telemetry.count('budget_day_rebuilt_total')
    telemetry.log('warn', 'budget.day-rebuilt', { day: day.key, turns: charged })
    return true
  }

  return (of, epoch) => {
    // Many questions may wait for the same day.
    const key = JSON.stringify([of.principalId, of.day.key, epoch])
    const running = comparing.get(key) ?? compare(of, epoch).finally(() => comparing.delete(key))
    comparing.set(key, running)
    return running
  }
}

/** A ledger whose turns with a row after `since` have all their rows. */
function whole(ledger: LostDayParts['ledger'], since: number) {
  return {
    async *rows(filter: LedgerFilter): AsyncGenerator<LedgerRow> {
      const rows: LedgerRow[] = []
      for await (const row of ledger.rows(filter)) rows.push(row)
      const young = new Set(rows.filter(({ at }) => at > since).map(({ turnId }) => turnId))
      yield* rows.filter(({ turnId }) => !young.has(turnId))
      for (const turnId of young) yield* (await ledger.ofTurn(turnId)).filter((row) => matchesFilter(row, filter))
    },
  }
}
