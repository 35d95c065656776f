// What the turns of a user used, by their ledger rows, and their charges from it.
import { dateAfter } from '#lib/time/date-after.ts'
import type { Day } from '../budget/day.ts'
import { add, NOTHING } from '../budget/quota.ts'
import type { Amounts, Hold } from '../budget/quota.ts'
import { chargeIdOf } from './ledger-row.ts'
import type { LedgerFilter, LedgerRow } from './ledger-row.ts'

export interface TurnUse {
  readonly hold: Hold
  readonly used: Amounts
  /** When its last row was written. */
  readonly at: number
}

interface Rows {
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
}

interface Charges {
  settle(hold: Hold, used: Amounts, terms: { readonly unlessHeld: true }): Promise<{ readonly charged: boolean }>
}

const DAY_MS = 86_400_000
const CHARGES_AT_ONCE = 20

/** What the turns of a day and of the day before used. */
export async function turnsOf(
  ledger: Rows,
  { day, principalId }: { readonly principalId: string; readonly day: Day },
): Promise<readonly TurnUse[]> {
  const before = dayBefore(day)
  const turns = new Map<string, TurnUse>()
  for await (const row of ledger.rows({ principalId, from: before.key, to: day.key })) {
    const { sessionId } = row
    const id = chargeIdOf(row)
    const ofRow = row.day === day.key ? day : before
    const hold = { id, principalId, sessionId, day: ofRow, granted: NOTHING }
    const sum = turns.get(id)
    turns.set(id, { hold, used: add(sum?.used ?? NOTHING, row), at: Math.max(sum?.at ?? 0, row.at) })
  }
  return [...turns.values()]
}

/** Charges the turns that were not charged and are not held; returns how many. */
export async function chargeAgain(budgets: Charges, turns: readonly TurnUse[]): Promise<number> {
  let charged = 0
  for (let from = 0; from < turns.length; from += CHARGES_AT_ONCE) {
    const some = turns.slice(from, from + CHARGES_AT_ONCE)
    const results = await Promise.all(some.map(({ hold, used }) => budgets.settle(hold, used, { unlessHeld: true })))
    charged += results.filter((result) => result.charged).length
  }
  return charged
}

function dayBefore({ endsAt, key }: Day): Day {
  return { key: dateAfter(key, -1) ?? key, endsAt: endsAt - DAY_MS }
}
