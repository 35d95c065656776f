// Compares the day accounts of the users who were answered lately with the ledger. Where a charge is missing, the turn is charged from its
// rows, once. Other differences are reported: an account below the ledger although every turn was charged was reset by an
// operator; one above it twice in a row has charges without rows. Turns that ended just now are left out: their rows and charges
// are written one after the other. Reports have counts and no user. Which users a round has is in `recent-accounts.ts`.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { add, exceeds, NOTHING } from '#domain/budget/quota.ts'
import type { TierLimits } from '#domain/budget/quota.ts'
import { chargeAgain, turnsOf } from '#domain/ledger/charge-again.ts'
import type { TurnUse } from '#domain/ledger/charge-again.ts'
import { eachOf } from '#lib/async/each-of.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { RecentAccounts, SETTLING_MS } from './recent-accounts.ts'
import type { Account } from './recent-accounts.ts'

export interface BudgetAuditParts {
  readonly clock: Clock
  readonly config: Config
  readonly ledger: Pick<Ledger, 'page' | 'rows'>
  readonly budgets: Pick<Budgets, 'quota' | 'settle'>
  readonly limits: { of(principal: { readonly id: string; readonly tier: string }): Promise<TierLimits> }
  readonly telemetry: Telemetry
}

type AuditResult = 'agrees' | 'charged' | 'below' | 'above'

export const AUDIT_EVERY_MS = 300_000
const USERS_AT_ONCE = 8

export function createBudgetAudit(parts: BudgetAuditParts): () => Promise<void> {
  const { budgets, clock, config, ledger, limits, telemetry } = parts
  const recent = new RecentAccounts({ clock, ledger, timeZone: config.store.timeZone })
  /** The accounts that were above the ledger in the last round; true for the first time. */
  let aboveBefore: ReadonlyMap<string, { readonly account: Account; readonly isNew: boolean }> = new Map()

  async function audit({ day, principalId, tier }: Account): Promise<AuditResult> {
    // The account first: what is charged is in the ledger soon after.
    const { used } = await budgets.quota(principalId, await limits.of({ id: principalId, tier }), day)
    const turns = (await turnsOf(ledger, { principalId, day })).filter(({ hold }) => hold.day.key === day.key)
    const settled = turns.filter(({ at }) => at <= clock.now() - SETTLING_MS)
    if (exceeds(sumOf(settled), used)) return (await chargeAgain(budgets, settled)) > 0 ? 'charged' : 'below'
    return exceeds(used, sumOf(turns)) ? 'above' : 'agrees'
  }

  return async function auditBudgets() {
    const round = await recent.next()
    // What was above once is looked at again, whether or not the user was answered since.
    const doubted = [...aboveBefore.values()].filter(({ isNew }) => isNew).map(({ account }) => account)
    const accounts = new Map([...doubted, ...round.accounts].map((account) => [keyOf(account), account]))
    const above = new Map<string, { readonly account: Account; readonly isNew: boolean }>()
    const counts: Record<AuditResult, number> = { agrees: 0, charged: 0, below: 0, above: 0 }
    await eachOf([...accounts], USERS_AT_ONCE, async ([key, account]) => {
      const result = await audit(account)
      const isNew = !aboveBefore.has(key)
      if (result === 'above') above.set(key, { account, isNew })
      const reported = result === 'above' && isNew ? 'agrees' : result
      counts[reported] += 1
      telemetry.count('budget_audit_total', { outcome: reported })
    })
    aboveBefore = above
    round.done()
    const { behindMs } = round
    if (behindMs > 0) telemetry.log('warn', 'budget.audit-behind', { behindMs, users: accounts.size })
    const { agrees, ...differences } = counts
    if (Object.values(differences).every((count) => count === 0)) return
    const day = dayOf(clock.now(), config.store.timeZone).key
    telemetry.log('warn', 'budget.audit-differs', { day, agrees, ...differences })
  }
}

const keyOf = ({ day, principalId }: Account) => `${day.key} ${principalId}`
const sumOf = (turns: readonly TurnUse[]) => turns.reduce((sum, { used }) => add(sum, used), NOTHING)
