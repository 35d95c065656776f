// The ledger rows of a turn's calls, and what they used together.
import { add, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { billedOf } from '#domain/ledger/billed-of.ts'
import type { AttemptRecord, TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'

export function totalOf(attempts: readonly AttemptRecord[]): Amounts {
  return attempts.reduce<Amounts>((sum, { usage, costMicroUsd }) => add(sum, { ...usage, costMicroUsd }), NOTHING)
}

/** One row for each call, and one for an answer that needed none. */
export function ledgerRows(start: TurnStart, outcome: TurnOutcome, overage: boolean): readonly LedgerRow[] {
  const { attempts, endedAt } = outcome
  if (attempts.length > 0) return rowsOfCalls(start, { attempts, at: endedAt, overage })
  const nothing = { inputTokens: 0, outputTokens: 0, estimated: false, costMicroUsd: 0 }
  const answer = { attempt: 0, model: outcome.model, tier: outcome.tier, outcome: outcome.finishReason }
  return [{ ...whose(start), at: endedAt, ...nothing, ...answer }]
}

export function rowsOfCalls(
  start: TurnStart,
  { at, attempts, overage }: { readonly attempts: readonly AttemptRecord[]; at: number; overage: boolean },
): readonly LedgerRow[] {
  const rows = attempts.map((attempt) => ({ ...whose(start), at, ...billedOf(attempt) }))
  // The last call exceeded the hold.
  return rows.map((row, index) => (overage && index === rows.length - 1 ? { ...row, overage: true as const } : row))
}

function whose({ hold, principal, sessionId, turnId }: TurnStart) {
  const { id: principalId, tag, tier: userTier } = principal
  return { turnId, principalId, userTier, sessionId, day: hold.day.key, ...(tag === undefined ? {} : { tag }) }
}
