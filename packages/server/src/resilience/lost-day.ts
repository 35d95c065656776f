// Charges a day again that the budgets have lost and the ledger still has, for example after a shard of a Redis cluster restarted
// empty. Every turn is settled from its ledger rows, which charges it once.
import { add, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts, Hold } from '#domain/budget/quota.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LostDayParts {
  readonly ledger: Pick<Ledger, 'hasSpent' | 'rows'>
  readonly budgets: Pick<Budgets, 'quota' | 'settle'>
  readonly telemetry: Telemetry
}

export type RebuildDay = (of: Pick<AdmissionAsk, 'principalId' | 'limits' | 'day'>) => Promise<void>

export function createRebuildDay({ ledger, budgets: state, telemetry }: LostDayParts): RebuildDay {
  return async function rebuildDay({ day, limits, principalId }) {
    if (!(await ledger.hasSpent(principalId, day.key))) return
    const { used } = await state.quota(principalId, limits, day)
    if (used.inputTokens + used.outputTokens + used.costMicroUsd > 0) return
    const turns = new Map<string, { readonly hold: Hold; readonly used: Amounts }>()
    for await (const { sessionId, turnId: id, ...row } of ledger.rows({ principalId, day: day.key })) {
      const hold = { id, principalId, sessionId, day, granted: NOTHING }
      turns.set(id, { hold, used: add(turns.get(id)?.used ?? NOTHING, row) })
    }
    let charged = 0
    for (const turn of turns.values()) {
      if ((await state.settle(turn.hold, turn.used)).charged) charged += 1
    }
    if (charged === 0) return
    telemetry.count('budget_day_rebuilt_total')
    telemetry.log('warn', 'budget.day-rebuilt', { day: day.key, turns: charged })
  }
}
