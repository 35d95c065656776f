// Compares the day accounts of the users who were answered lately with the ledger. Where a charge is missing, the turn is charged from its
// rows, once. Other differences are reported: an account below the ledger although every turn was charged was reset by an
// operator; one above it twice in a row has charges without rows. Turns that ended just now are left out: their rows and charges
// are written one after the other. Reports have counts and no user.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import type { Day } from '#domain/budget/day.ts'
import { add, exceeds, NOTHING } from '#domain/budget/quota.ts'
import type { TierLimits } from '#domain/budget/quota.ts'
import { chargeAgain, turnsOf } from '#domain/ledger/charge-again.ts'
import type { TurnUse } from '#domain/ledger/charge-again.ts'
import { isPseudonym } from '#domain/identity/pseudonym.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Ledger, LedgerRow, RowPosition } from '#ports/ledger/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

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
/** Longer than the interval, so that a round that fails or starts late leaves no gap. */
const LATELY_MS = 900_000
/** Longer than a settlement takes, with its repetitions after a short outage. */
const SETTLING_MS = 120_000
const PAGE_ROWS = 500
/** Bounds a round. The most active users come again in the next one. */
const USERS_MAX = 5000
/** For a row that does not say it. */
const TIER_UNKNOWN = 'free'

export function createBudgetAudit(parts: BudgetAuditParts): () => Promise<void> {
  const { budgets, clock, config, ledger, limits, telemetry } = parts
  /** The users whose account was above the ledger in the last round. */
  let aboveBefore: ReadonlySet<string> = new Set()

  async function lately(day: Day): Promise<ReadonlyMap<string, string>> {
    const users = new Map<string, string>()
    let after: RowPosition = { day: day.key, at: clock.now() - LATELY_MS, turnId: '', attempt: 0 }
    for (;;) {
      const rows: readonly LedgerRow[] = await ledger.page({ day: day.key }, PAGE_ROWS, after)
      for (const { principalId, userTier = TIER_UNKNOWN } of rows)
        if (!isPseudonym(principalId)) users.set(principalId, userTier)
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE_ROWS || users.size >= USERS_MAX) return users
      after = last
    }
  }

  async function audit(principalId: string, tier: string, day: Day): Promise<AuditResult> {
    // The account first: what is charged is in the ledger soon after.
    const { used } = await budgets.quota(principalId, await limits.of({ id: principalId, tier }), day)
    const turns = (await turnsOf(ledger, { principalId, day })).filter(({ hold }) => hold.day.key === day.key)
    const settled = turns.filter(({ at }) => at <= clock.now() - SETTLING_MS)
    if (exceeds(sumOf(settled), used)) return (await chargeAgain(budgets, settled)) > 0 ? 'charged' : 'below'
    return exceeds(used, sumOf(turns)) ? 'above' : 'agrees'
  }

  return async function auditBudgets() {
    const day = dayOf(clock.now(), config.store.timeZone)
    const above = new Set<string>()
    const counts: Record<AuditResult, number> = { agrees: 0, charged: 0, below: 0, above: 0 }
    for (const [principalId, tier] of await lately(day)) {
      const result = await audit(principalId, tier, day)
      if (result === 'above') above.add(principalId)
      const reported = result === 'above' && !aboveBefore.has(principalId) ? 'agrees' : result
      counts[reported] += 1
      telemetry.count('budget_audit_total', { outcome: reported })
    }
    aboveBefore = above
    const { agrees, ...differences } = counts
    if (Object.values(differences).every((count) => count === 0)) return
    telemetry.log('warn', 'budget.audit-differs', { day: day.key, agrees, ...differences })
  }
}

const sumOf = (turns: readonly TurnUse[]) => turns.reduce((sum, { used }) => add(sum, used), NOTHING)
