// The one log line of a turn, with everything that an operator asks about it: who (by pseudonym), what answered and why, what it used
// and cost, and how long everything took. It has no text of the question or of the answer.
import type { TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import type { FieldsOf } from '#domain/telemetry/catalogue.ts'
import { loggedRequestId } from '#domain/telemetry/logged-request-id.ts'
import { tokensPerSecond, tokensByKind } from './turn-figures.ts'

export interface TurnLineParts {
  /** The pseudonym of a principal; absent where log lines name no user. */
  readonly pseudonymOf?: ((principalId: string) => string) | undefined
  readonly node: string
}

export function turnLine(start: TurnStart, outcome: TurnOutcome, parts: TurnLineParts): FieldsOf<'turn.ended'> {
  const { attempts, routing } = outcome
  const { first, judged, rule, why } = routing?.choice ?? {}
  return {
    turnId: start.turnId,
    clientRequestId: loggedRequestId(start.requestId),
    sessionId: start.sessionId,
    user: parts.pseudonymOf?.(start.principal.id),
    userKind: start.principal.kind,
    userTier: start.principal.tier,
    kind: start.kind,
    door: start.route,
    language: outcome.language ?? start.language,
    tier: outcome.tier,
    model: outcome.modelName,
    modelId: outcome.model,
    finishReason: outcome.finishReason,
    reason: outcome.reason,
    failure: outcome.failure,
    degraded: outcome.isDegraded,
    cached: outcome.isCached,
    missing: outcome.missing?.join(' '),
    ...tokensByKind(attempts),
    estimated: attempts.some(({ usage }) => usage.estimated),
    costMicroUsd: attempts.reduce((sum, attempt) => sum + attempt.costMicroUsd, 0),
    firstWordMs: outcome.firstWordAt === null ? undefined : outcome.firstWordAt - start.acceptedAt,
    totalMs: outcome.endedAt - start.acceptedAt,
    queuedMs: outcome.queuedMs,
    tokensPerSecond: tokensPerSecond(outcome),
    textLength: outcome.length,
    deltas: outcome.deltas,
    frames: outcome.frames,
    attempts: attempts.length,
    failedAttempts: attempts.filter(({ fault }) => fault !== undefined).length,
    promptVersion: outcome.promptVersion,
    deferredFrom: start.deferredFrom?.turnId,
    node: parts.node,
    routeFirst: first,
    routeRule: rule,
    routeWhy: why,
    complexity: judged?.level,
  }
}
