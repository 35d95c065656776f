// Compares a principal's day with the ledger before anything is granted from it, once in each epoch of the budgets' store: a day that
// the store has lost, or has in an older state, is charged again. Every turn is settled from its ledger rows, which charges it once.
// Turns of the day before are included, for what their conversations used.
import type { Day } from '#domain/budget/day.ts'
import { add, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts, Hold } from '#domain/budget/quota.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { dateAfter } from '#lib/time/date-after.ts'
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

export interface TurnUse {
  readonly hold: Hold
  readonly used: Amounts
}

const DAY_MS = 86_400_000
const CHARGES_AT_ONCE = 20

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

/** What the turns of a day and of the day before used, by the ledger. */
export async function turnsOf(ledger: Pick<Ledger, 'rows'>, { day, principalId }: OfDay): Promise<readonly TurnUse[]> {
  const before = dayBefore(day)
  const turns = new Map<string, TurnUse>()
  for await (const { sessionId, turnId: id, ...row } of ledger.rows({ principalId, from: before.key, to: day.key })) {
    const ofRow = row.day === day.key ? day : before
    const hold = { id, principalId, sessionId, day: ofRow, granted: NOTHING }
    turns.set(id, { hold, used: add(turns.get(id)?.used ?? NOTHING, row) })
  }
  return [...turns.values()]
}

/** Returns how many of the turns had not been charged. */
export async function chargeAgain(budgets: Pick<Budgets, 'settle'>, turns: readonly TurnUse[]): Promise<number> {
  let charged = 0
  for (let from = 0; from < turns.length; from += CHARGES_AT_ONCE) {
    const some = turns.slice(from, from + CHARGES_AT_ONCE)
    const results = await Promise.all(some.map(({ hold, used }) => budgets.settle(hold, used)))
    charged += results.filter((result) => result.charged).length
  }
  return charged
}

function dayBefore({ endsAt, key }: Day): Day {
  return { key: dateAfter(key, -1) ?? key, endsAt: endsAt - DAY_MS }
}
