// Compares a principal's day with the ledger before anything is granted from it, once in each epoch of the budgets' store: a day that
// the store has lost, or has in an older state, is charged again. Every turn is settled from its ledger rows, which charges it once.
// Turns of the day before are included, for what their conversations used.
import { chargeAgain, turnsOf } from '#domain/ledger/charge-again.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LostDayParts {
  readonly ledger: Pick<Ledger, 'rows'>
  readonly budgets: Pick<Budgets, 'settle' | 'markCompared'>
  readonly telemetry: Telemetry
}

type OfDay = Pick<AdmissionAsk, 'principalId' | 'day'>

/** False when the ledger is unavailable. Rejects with StoreUnavailable when the budgets are. */
export type CompareDay = (of: OfDay, epoch: string) => Promise<boolean>

export function createCompareDay({ budgets, ledger, telemetry }: LostDayParts): CompareDay {
  const comparing = new Map<string, Promise<boolean>>()

  async function compare(of: OfDay, epoch: string): Promise<boolean> {
    const turns = await orUnavailable(() => turnsOf(ledger, of))
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
