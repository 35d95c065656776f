// The record of an ended turn, from what its log holds and the node that settles it knows.
import type { AttemptRecord, TurnOutcome, TurnStart } from '../turn/log-records.ts'
import { CALLS_MAX } from './turn-record.ts'
import type { TurnCall, TurnRecord } from './turn-record.ts'

/** What only the node that settles the turn knows. */
export interface Settled {
  readonly epoch: number
  readonly node: string
  readonly settlementMs: number
}

export function recordOfTurn(start: TurnStart, outcome: TurnOutcome, settled?: Settled): TurnRecord {
  const { attempts, firstWordAt, promptVersion, routing, weighed } = outcome
  const sum = (of: (attempt: AttemptRecord) => number): number =>
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
    ...storyIn(start, outcome),
    ...(settled === undefined ? {} : settledIn(outcome, settled)),
    received: {},
  }
}

/** What is cheaply known of how the turn came about. */
function storyIn(start: TurnStart, outcome: TurnOutcome): Partial<TurnRecord> {
  const { attempts, deltas, frames, missing, queuedMs, reason, story } = outcome
  const seams = attempts.filter(({ began }) => began?.why === 'continuation').length
  const prompt = attempts.find(({ estimate }) => estimate !== undefined)?.estimate
  return {
    kind: start.kind,
    door: start.route,
    requestId: start.requestId,
    ...(start.trace === undefined ? {} : { traceId: start.trace.traceId }),
    acceptedAt: start.acceptedAt,
    ...(start.replaces === undefined ? {} : { replaces: start.replaces }),
    ...(start.continued === undefined ? {} : { continues: true }),
    ...(queuedMs === undefined ? {} : { queueMs: queuedMs }),
    ...(reason === undefined ? {} : { reason }),
    ...(missing === undefined ? {} : { missing }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(attempts.length === 0 ? {} : { calls: attempts.slice(0, CALLS_MAX).map((one) => callOf(one, start)) }),
    ...(seams === 0 ? {} : { seams }),
    ...(deltas === undefined ? {} : { deltas }),
    ...(frames === undefined ? {} : { frames }),
    ...story,
  }
}

function settledIn({ story }: TurnOutcome, { epoch, node, settlementMs }: Settled): Partial<TurnRecord> {
  return { node, epoch, stages: { ...story?.stages, settlementMs } }
}

function callOf(attempt: AttemptRecord, { acceptedAt }: TurnStart): TurnCall {
  const { began, cacheReadTokens, cacheWriteTokens, fault, firstWordMs, name, startedAt, tookMs, usage } = attempt
  const { reasoningTokens } = attempt
  return {
    attempt: attempt.attempt,
    model: attempt.model,
    ...(name === undefined ? {} : { name }),
    ...(began === undefined ? {} : { why: began.why, lane: began.lane }),
    ...(began?.delayMs === undefined ? {} : { delayMs: began.delayMs }),
    tier: attempt.tier,
    outcome: attempt.outcome,
    ...(fault === undefined ? {} : { fault }),
    ...(startedAt === undefined ? {} : { startMs: startedAt - acceptedAt }),
    ...(firstWordMs === undefined ? {} : { firstTokenMs: firstWordMs }),
    ...(tookMs === undefined ? {} : { tookMs }),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(usage.estimated ? { estimated: true } : {}),
    costMicroUsd: attempt.costMicroUsd,
  }
}
