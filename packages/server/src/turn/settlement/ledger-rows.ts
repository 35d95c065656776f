// The ledger rows of a turn's calls.
import { billedOf } from '#domain/ledger/billed-of.ts'
import { SHOP } from '#domain/identity/principal.ts'
import type { AttemptRecord, TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'

/** The session of the rows of calls that the shop pays beside those that answered. */
const LEFT_CALLS = 'left-call'

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
  // The shopper's last call exceeded the hold.
  const last = attempts.findLast(({ paidBy }) => paidBy !== 'shop')
  return attempts.map((attempt) => ({
    ...(attempt.paidBy === 'shop' ? shops(start) : whose(start)),
    at,
    ...billedOf(attempt),
    ...(overage && attempt === last ? { overage } : {}),
  }))
}

/** A call that was stopped in favour of another model is booked to the shop, under a session of its own. */
function shops({ hold, turnId }: TurnStart) {
  return { turnId, principalId: SHOP, sessionId: LEFT_CALLS, day: hold.day.key }
}

function whose({ hold, principal, sessionId, turnId }: TurnStart) {
  const { id: principalId, tag, tier: userTier } = principal
  return { turnId, principalId, userTier, sessionId, day: hold.day.key, ...(tag === undefined ? {} : { tag }) }
}
