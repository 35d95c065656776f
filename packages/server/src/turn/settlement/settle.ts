// Closes the books on a turn whose text is complete: session, budget, ledger, then `turn-end`. Every step is
// idempotent by turn id, so a node that dies in between is followed by one that runs it all again.
import { add, NOTHING } from '#domain/quota.ts'
import type { Amounts } from '#domain/quota.ts'
import { TurnAbort } from '#domain/turn-abort.ts'
import type { TurnEnd, TurnOutcome, TurnStart } from '#domain/turn-record.ts'
import type { Ledger, LedgerRow } from '#ports/ledger.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store.ts'
import type { SharedState } from '#ports/shared-state.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { TurnLog } from '#ports/turn-log.ts'
import type { Delivered } from '../turn.ts'

export interface SettleParts {
  readonly sessions: SessionStore
  readonly state: SharedState
  readonly ledger: Ledger
  readonly turnLog: TurnLog
  readonly telemetry: Telemetry
}

/** A conversation moves on by at most a turn or two between the question and its answer. */
const APPEND_TRIES_MAX = 5

export function createSettle(parts: SettleParts): (delivered: Delivered) => Promise<void> {
  const { sessions, state, ledger, turnLog, telemetry } = parts

  async function appendToSession({ start, outcome, text }: Delivered): Promise<number> {
    const turn: StoredTurn = {
      turnId: start.turnId,
      question: start.message,
      answer: text,
      language: start.language,
      finishReason: outcome.finishReason,
      tier: outcome.tier,
      productIds: outcome.productIds,
      at: outcome.endedAt,
    }
    // A prompt of the caller's own belongs to no conversation.
    if (start.completion !== undefined) return 0
    let expectedVersion = start.sessionVersion
    for (let tries = 0; tries < APPEND_TRIES_MAX; tries += 1) {
      const result = await sessions.append(start.sessionId, expectedVersion, turn)
      if (result.kind === 'appended') return result.version
      // The shopper deleted the conversation while it was being answered: there is nothing to keep it in.
      if (result.kind === 'gone') return start.sessionVersion
      telemetry.count('session.version-conflict')
      expectedVersion = result.version
    }
    telemetry.log('error', 'session.append-gave-up', { turnId: start.turnId })
    return expectedVersion
  }

  async function chargeBudget({ start, outcome }: Delivered): Promise<void> {
    const result = await state.settle(start.hold, totalOf(outcome), start.claimAfterEndMs)
    if (result.overage) telemetry.count('budget.overage')
  }

  return async function settle(delivered) {
    const { start, outcome, epoch } = delivered
    // Nothing is booked for a text that another owner may be writing differently.
    if (!(await turnLog.confirm(start.turnId, epoch))) throw new TurnAbort('lost')
    // Together, so that a store that commits in groups commits them as one.
    const [sessionVersion] = await Promise.all([
      appendToSession(delivered),
      chargeBudget(delivered),
      ledger.record(ledgerRows(start, outcome)),
    ])
    const appended = await turnLog.append(start.turnId, epoch, [
      { kind: 'turn-end', end: endOf(start, outcome, sessionVersion) },
    ])
    telemetry.log('info', 'turn.ended', {
      turnId: start.turnId,
      tier: outcome.tier,
      model: outcome.model,
      finishReason: outcome.finishReason,
      totalMs: outcome.endedAt - start.acceptedAt,
      settledElsewhere: !appended,
    })
  }
}

function totalOf(outcome: TurnOutcome): Amounts {
  return outcome.attempts.reduce<Amounts>(
    (sum, { usage, costMicroUsd }) => add(sum, { ...usage, costMicroUsd }),
    NOTHING,
  )
}

function ledgerRows(start: TurnStart, outcome: TurnOutcome): readonly LedgerRow[] {
  const row = {
    turnId: start.turnId,
    principalId: start.principal.id,
    sessionId: start.sessionId,
    day: start.hold.day.key,
    at: outcome.endedAt,
  }
  if (outcome.attempts.length === 0) {
    const nothing = { inputTokens: 0, outputTokens: 0, estimated: false, costMicroUsd: 0 }
    return [{ ...row, ...nothing, attempt: 0, model: outcome.model, tier: outcome.tier, outcome: outcome.finishReason }]
  }
  return outcome.attempts.map(({ usage, ...attempt }) => ({ ...row, ...attempt, ...usage }))
}

function endOf(start: TurnStart, outcome: TurnOutcome, sessionVersion: number): TurnEnd {
  const total = totalOf(outcome)
  const speakingMs = outcome.firstWordAt === null ? 0 : outcome.endedAt - outcome.firstWordAt
  return {
    finishReason: outcome.finishReason,
    length: outcome.length,
    sha256: outcome.sha256,
    usage: {
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
  }
}
