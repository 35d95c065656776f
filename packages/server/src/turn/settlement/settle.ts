// Settles a turn whose text is complete: session, budget, ledger, then `turn-end`. Every step is idempotent by turn id, so
// after a node dies halfway another runs it all again.
import type { Spend } from '#domain/budget/spend.ts'
import { recordOfTurn } from '#domain/turn-records/record-of-turn.ts'
import type { TurnRecord } from '#domain/turn-records/turn-record.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { TurnEnd, TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Delivered } from '../turn.ts'
import { createAppendTurn } from './append-turn.ts'
import type { AppendTurnParts } from './append-turn.ts'
import { ledgerRows, totalOf } from './ledger-rows.ts'

export interface SettleParts extends AppendTurnParts {
  readonly budgets: Budgets
  readonly ledger: Ledger
  readonly turnLog: TurnLog
  readonly spending: { settle(spend: Spend): void }
  /** Returns at once: the record is written behind the turn. */
  readonly recorder: { put(record: TurnRecord): void }
  /** A user's spending above this in a day is logged. */
  readonly alarmMicroUsd: number
}

export type Settle = (delivered: Delivered, options?: { readonly mayWait: boolean }) => Promise<void>

export function createSettle(parts: SettleParts): Settle {
  const { budgets: state, ledger, turnLog, alarmMicroUsd } = parts
  const appendTurn = createAppendTurn(parts)
  /**
   * While the store is unavailable, each attempt to settle is reported as charged: only the first one settles the spending.
   */
  const booked = new WeakSet<Delivered>()

  /** Returns whether more was used than was still reserved: the ledger records it too. */
  async function chargeBudget(delivered: Delivered): Promise<boolean> {
    const { start, outcome, scope: telemetry } = delivered
    const used = totalOf(outcome.attempts)
    const [result] = await Promise.all([
      state.settle(start.hold, used, { claimMs: start.claimAfterEndMs, alarmMicroUsd }),
      start.networkHold === undefined ? undefined : state.settle(start.networkHold, used),
    ])
    // Done only by the owner that charged the budget, and only once: a repeat finds the turn charged already.
    if (result.charged && !booked.has(delivered)) {
      booked.add(delivered)
      if (result.overage) telemetry.count('budget_overage_total')
      const { hold, principal, turnId } = start
      parts.spending.settle({ id: turnId, spender: principal.kind, day: hold.day, microUsd: used.costMicroUsd })
    }
    if (result.alarm === true) {
      telemetry.count('alarm_user_spend_total')
      // The ledger names the user; the log does not.
      telemetry.log('warn', 'alarm.user-spend', { turnId: start.turnId, day: start.hold.day.key, alarmMicroUsd })
    }
    return result.overage
  }

  return async function settle(delivered, { mayWait } = { mayWait: false }) {
    const { start, outcome, epoch, scope: telemetry } = delivered
    // Nothing is booked for a text that another owner may be writing differently.
    if (!(await turnLog.confirm(start.turnId, epoch))) throw new TurnAbort('lost')
    // Together, so that a store with group commits needs only one commit.
    const [sessionVersion] = await Promise.all([
      appendTurn(delivered, mayWait || start.unsaved !== undefined),
      chargeBudget(delivered).then((overage) => ledger.record(ledgerRows(start, outcome, overage))),
    ])
    // Before the end is shown: a thumb that follows it finds the record.
    if (delivered.policy.hasSession) parts.recorder.put(recordOfTurn(start, outcome))
    const appended = await turnLog.append(start.turnId, epoch, [
      { kind: 'turn-end', end: endOf(start, outcome, sessionVersion) },
    ])
    telemetry.log('info', 'turn.ended', {
      turnId: start.turnId,
      tier: outcome.tier,
      modelId: outcome.model,
      finishReason: outcome.finishReason,
      totalMs: outcome.endedAt - start.acceptedAt,
      settledElsewhere: !appended,
      ...routeFields(outcome),
    })
  }
}

function routeFields({ routing }: TurnOutcome) {
  if (routing?.choice === undefined) return {}
  const { first, judged, rule, why } = routing.choice
  return { routeFirst: first, routeRule: rule, routeWhy: why, complexity: judged.level }
}

function endOf(start: TurnStart, outcome: TurnOutcome, sessionVersion: number): TurnEnd {
  const total = totalOf(outcome.attempts)
  const speakingMs = outcome.firstWordAt === null ? 0 : outcome.endedAt - outcome.firstWordAt
  return {
    finishReason: outcome.finishReason,
    length: outcome.length,
    sha256: outcome.sha256,
    usage: outcome.answerUsage ?? {
      inputTokens: total.inputTokens,
      outputTokens: total.outputTokens,
      estimated: outcome.attempts.some((attempt) => attempt.usage.estimated),
    },
    costMicroUsd: total.costMicroUsd,
    timings: {
      ttftMs: outcome.firstWordAt === null ? null : outcome.firstWordAt - start.acceptedAt,
      totalMs: outcome.endedAt - start.acceptedAt,
      tokensPerSecond: speakingMs <= 0 ? 0 : Math.round((total.outputTokens * 10_000) / speakingMs) / 10,
    },
    tier: outcome.tier,
    model: outcome.model,
    sessionVersion,
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
    ...(outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }),
  }
}
