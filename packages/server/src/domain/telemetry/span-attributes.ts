// The attributes of scopes, spans and span events: our field name, and the name that an exporter sends. Names of
// OpenTelemetry where it has one (those of model calls are pinned in `gen-ai-names.ts`), else ours under `mangaassist.`.
import { GEN_AI, STABLE } from './gen-ai-names.ts'

export const spanAttributes = {
  door: 'mangaassist.door',
  requestId: 'mangaassist.request.id',
  turnId: 'mangaassist.turn.id',
  connectionId: 'mangaassist.connection.id',
  sessionId: GEN_AI.conversationId,
  /** A keyed pseudonym; never the principal's id. */
  user: STABLE.userPseudonym,
  /** The set of limits of the principal; `tier` is that of the answer. */
  userTier: 'mangaassist.user.tier',
  status: STABLE.httpStatus,
  code: 'mangaassist.refusal.code',
  /** The limit that refused, as in the error's details. */
  limitScope: 'mangaassist.limit.scope',
  limitInputTokens: 'mangaassist.limit.input_tokens',
  limitOutputTokens: 'mangaassist.limit.output_tokens',
  limitCostMicroUsd: 'mangaassist.limit.cost_micro_usd',
  limitRequestsPerMinute: 'mangaassist.limit.requests_per_minute',
  reason: 'mangaassist.reason',
  finishReason: 'mangaassist.turn.finish_reason',
  failure: 'mangaassist.turn.failure',
  tier: 'mangaassist.tier',
  isDegraded: 'mangaassist.degraded',
  isCached: 'mangaassist.cached',
  isEstimated: 'mangaassist.usage.estimated',
  costMicroUsd: 'mangaassist.cost_micro_usd',
  missing: 'mangaassist.context.missing',
  rungs: 'mangaassist.routing.models',
  estimatedInputTokens: 'mangaassist.estimated_input_tokens',
  attempts: 'mangaassist.attempts',
  tries: 'mangaassist.tries',
  epoch: 'mangaassist.turn.epoch',
  continued: 'mangaassist.turn.continued',
  textLength: 'mangaassist.text_length',
  offset: 'mangaassist.reader.offset',
  attempt: 'mangaassist.attempt',
  isHedge: 'mangaassist.attempt.hedge',
  /** The configured name of a model; the vendor's id is `modelId`. */
  model: 'mangaassist.model',
  modelId: GEN_AI.requestModel,
  provider: GEN_AI.providerName,
  laneId: 'mangaassist.lane',
  callOutcome: 'mangaassist.call.outcome',
  errorClass: STABLE.errorType,
  stopReason: GEN_AI.finishReasons,
  maxOutputTokens: GEN_AI.maxTokens,
  temperature: GEN_AI.temperature,
  inputTokens: GEN_AI.inputTokens,
  outputTokens: GEN_AI.outputTokens,
  cacheReadTokens: GEN_AI.cacheReadTokens,
  cacheWriteTokens: GEN_AI.cacheWriteTokens,
  reasoningTokens: GEN_AI.reasoningTokens,
  vendorStatus: 'mangaassist.vendor.status',
  vendorRequestId: 'mangaassist.vendor.request_id',
  firstTextSeconds: GEN_AI.timeToFirstChunk,
  promptVersion: GEN_AI.promptVersion,
  /** Host and port of a vendor or a store. */
  serverAddress: STABLE.serverAddress,
  dbSystem: STABLE.dbSystem,
  dbNamespace: STABLE.dbNamespace,
  /** A table, or an index. */
  dbCollection: STABLE.dbCollection,
  /** The name of a script of Redis. */
  dbScript: STABLE.dbProcedure,
  dbOperation: STABLE.dbOperation,
  /** Only of two operations or more. */
  dbBatchSize: STABLE.dbBatchSize,
  /** What the store answered, where that is not plain success. */
  dbStatus: STABLE.dbStatus,
  /** The calls of stores past the bound, which have no spans. */
  storeCallsLeftOut: 'mangaassist.store_calls_left_out',
  permitOutcome: 'mangaassist.permit.outcome',
  waitMs: 'mangaassist.wait_ms',
  delayMs: 'mangaassist.delay_ms',
  position: 'mangaassist.queue.position',
  circuit: 'mangaassist.lane.circuit',
  level: 'mangaassist.lane.level',
  hedgeOutcome: 'mangaassist.hedge.outcome',
} as const

export type SpanField = keyof typeof spanAttributes

/** The attributes of a scope or a span. No other name compiles; nothing personal is among them. */
export type SpanFields = { readonly [Field in SpanField]?: string | number | boolean | undefined }
