// Counts the steps of a principal's daily limit of cost that a turn has reached, for the alarms. A turn compares what was used when
// it was admitted with what it adds: two turns at once may both count a step, or neither.
import type { QuotaState } from '#domain/budget/quota.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import type { Routed } from '../turn.ts'

const STEPS = [50, 80, 100] as const

export function reportSpendSteps(
  reports: Pick<Reports, 'count'>,
  { quota, start }: Pick<Routed, 'quota' | 'start'>,
  attempts: readonly Pick<AttemptRecord, 'costMicroUsd'>[],
): void {
  const cost = attempts.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0)
  for (const percent of spendSteps(quota, cost))
    reports.count('alarm_principal_spend_total', { kind: start.principal.kind, percent })
}

export function spendSteps({ limit, used }: Pick<QuotaState, 'limit' | 'used'>, costMicroUsd: number) {
  if (limit.costMicroUsd <= 0) return []
  const percent = (microUsd: number) => (100 * microUsd) / limit.costMicroUsd
  const [before, after] = [percent(used.costMicroUsd), percent(used.costMicroUsd + costMicroUsd)]
  return STEPS.filter((step) => before < step && after >= step)
}
