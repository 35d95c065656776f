// The record of an ended turn, from what its log holds: the same on every node that settles it.
import type { TurnOutcome, TurnStart } from '../turn/log-records.ts'
import type { TurnRecord } from './turn-record.ts'

export function recordOfTurn(start: TurnStart, outcome: TurnOutcome): TurnRecord {
  const { attempts, firstWordAt, promptVersion, routing, weighed } = outcome
  const sum = (of: (attempt: TurnOutcome['attempts'][number]) => number): number =>
    attempts.reduce((total, attempt) => total + of(attempt), 0)
  return {
    turnId: start.turnId,
    sessionId: start.sessionId,
    principalId: start.principal.id,
    userTier: start.principal.tier,
    at: outcome.endedAt,
    language: outcome.language ?? start.language,
    position: start.sessionVersion,
    ...(routing === undefined ? {} : { routing }),
    ...(weighed === undefined ? {} : { weighed }),
    ...(promptVersion === undefined ? {} : { promptVersion }),
    tier: outcome.tier,
    model: outcome.model,
    finishReason: outcome.finishReason,
    isDegraded: outcome.isDegraded ?? false,
    isCached: outcome.isCached ?? false,
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
    attempts: attempts.length,
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    costMicroUsd: sum(({ costMicroUsd }) => costMicroUsd),
    firstWordMs: firstWordAt === null ? null : firstWordAt - start.acceptedAt,
    totalMs: outcome.endedAt - start.acceptedAt,
    mismatches: outcome.mismatches?.map(({ kind }) => kind) ?? [],
    received: {},
  }
}
