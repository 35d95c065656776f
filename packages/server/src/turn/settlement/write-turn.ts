// Writes what a settled turn leaves outside of its log: the turn in its conversation, the charge of its budget, the rows of its
// ledger. Every step is idempotent by turn id.
import { besideMicroUsd, usedBy } from '#domain/budget/need.ts'
import { spenderOf } from '#domain/budget/spend.ts'
import type { Spend } from '#domain/budget/spend.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Ledger, LedgerRow } from '#ports/ledger/port.ts'
import { reportUse } from '#ports/telemetry/report-use.ts'
import type { Delivered } from '../turn.ts'
import { createAppendTurn } from './append-turn.ts'
import type { AppendTurnParts } from './append-turn.ts'
import { ledgerRows } from './ledger-rows.ts'

export interface WriteTurnParts extends AppendTurnParts {
  readonly budgets: Budgets
  readonly ledger: Ledger
  readonly spending: { settle(spend: Spend): void }
  /** A user's spending above this in a day is logged. */
  readonly alarmMicroUsd: number
}

interface WrittenTurn {
  readonly sessionVersion: number
  /** Something of it waits in the memory of this process for an unavailable store. */
  readonly isPostponed: boolean
}

/** With `mayWait`, the conversation may be written later; the ledger's rows always may. */
export type WriteTurn = (delivered: Delivered, mayWait: boolean) => Promise<WrittenTurn>

export function createWriteTurn(parts: WriteTurnParts): WriteTurn {
  const { budgets: state, ledger, alarmMicroUsd } = parts
  const appendTurn = createAppendTurn(parts)
  /**
   * While the store is unavailable, each attempt to settle is reported as charged: only the first one settles the spending.
   */
  const booked = new WeakSet<Delivered>()

  /** Returns whether more was used than was still reserved: the ledger records it too. */
  async function chargeBudget(delivered: Delivered): Promise<boolean> {
    const { start, outcome, scope: telemetry } = delivered
    const used = usedBy(outcome.attempts)
    const [result] = await Promise.all([
      state.settle(start.hold, used, { claimMs: start.claimAfterEndMs, alarmMicroUsd }),
      start.networkHold === undefined ? undefined : state.settle(start.networkHold, used),
    ])
    // Done only by the owner that charged the budget, and only once: a repeat finds the turn charged already.
    if (result.charged && !booked.has(delivered)) {
      booked.add(delivered)
      if (result.overage) {
        telemetry.count('budget_overage_total')
        telemetry.event('budget.overage')
      }
      reportUse(telemetry, start.principal.kind, outcome.attempts)
      const { hold, principal, turnId } = start
      const { day } = hold
      const beside = besideMicroUsd(outcome.attempts)
      parts.spending.settle({ id: turnId, spender: spenderOf(principal), day, microUsd: used.costMicroUsd })
      if (beside > 0) parts.spending.settle({ id: `${turnId}:beside`, spender: 'shop', day, microUsd: beside })
    }
    if (result.alarm === true) {
      telemetry.count('alarm_user_spend_total')
      // The ledger names the user; the log does not.
      telemetry.log('warn', 'alarm.user-spend', { turnId: start.turnId, day: start.hold.day.key, alarmMicroUsd })
    }
    return result.overage
  }

  async function recordRows(delivered: Delivered): Promise<readonly LedgerRow[]> {
    const overage = await chargeBudget(delivered)
    const rows = ledgerRows(delivered.start, delivered.outcome, overage)
    await ledger.record(rows)
    return rows
  }

  return async function writeTurn(delivered, mayWait) {
    // Together, so that a store with group commits needs only one commit.
    const [appended, rows] = await Promise.all([appendTurn(delivered, mayWait), recordRows(delivered)])
    const isPostponed = appended.isPostponed || ledger.isWaiting?.(rows) === true
    return { sessionVersion: appended.version, isPostponed }
  }
}
