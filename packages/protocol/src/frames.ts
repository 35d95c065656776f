// The WebSocket frames of both directions, and the SSE events of `/api`, which carry the same frames. Unknown fields
// are ignored; an unknown `type` is INVALID_REQUEST. Fields may be added, but never change their meaning.
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { PageContext, PromptInfo, RouteInfo, Sources, Suggestions } from './dialogue.ts'
import { ErrorCode } from './errors.ts'
import { ProductCard } from './products.ts'
import { QuotaView } from './quota.ts'
import { AnswerTier, Count, FinishReason, Id, Language } from './vocabulary.ts'

/** The union of all frames in a map of schemas. */
type AnyOf<Frames extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof Frames]: Static<Frames[Name]>
}[keyof Frames]

/** The longest message, in code points; the configured limit may be lower, never higher. */
export const MESSAGE_CODE_POINTS_MAX = 5000

/** The fields of a question, the same on the WebSocket and on `POST /api/chat`. */
export const ChatRequest = Type.Object({
  requestId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  sessionId: Type.Optional(Id),
  message: Type.String(),
  /** The language that the shopper wishes to be answered in. Absent: the server decides by the words. */
  language: Type.Optional(Language),
  /** The language of the interface around the chat: it decides where a message has only titles, or no words. */
  interfaceLanguage: Type.Optional(Language),
  page: Type.Optional(PageContext),
  maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  baseVersion: Type.Optional(Count),
  /** A turn of the conversation in whose place this one is asked: asked again, or with an edited question. */
  replaces: Type.Optional(Id),
  /**
   * A turn of the conversation that ended before its answer was complete. `message` is its question again; the answer begins with the shown text,
   * continues from there, and takes its place.
   */
  continues: Type.Optional(Id),
})
export type ChatRequest = Static<typeof ChatRequest>

export const ChatFrame = Type.Object({
  type: Type.Literal('chat'),
  ...ChatRequest.properties,
  requestId: Type.String({ minLength: 1, maxLength: 128 }),
  /** How often the client has sent this `idempotencyKey`, counting this time. A key without it may be a repeat. */
  attempt: Type.Optional(Type.Integer({ minimum: 1 })),
})
/** `sha256` is the hash of the text that the client has: the server then never continues a different text. */
export const ResumeFrame = Type.Object({
  type: Type.Literal('resume'),
  turnId: Id,
  offset: Count,
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
export const StopFrame = Type.Object({ type: Type.Literal('stop'), turnId: Id })
export const WatchFrame = Type.Object({ type: Type.Literal('watch'), sessionId: Id })
export const PingFrame = Type.Object({ type: Type.Literal('ping') })

export const clientFrames = {
  chat: ChatFrame,
  resume: ResumeFrame,
  stop: StopFrame,
  watch: WatchFrame,
  ping: PingFrame,
} as const
export const ClientFrame = Type.Union(Object.values(clientFrames))
export type ChatFrame = Static<typeof ChatFrame>
export type ResumeFrame = Static<typeof ResumeFrame>
export type StopFrame = Static<typeof StopFrame>
export type WatchFrame = Static<typeof WatchFrame>
export type PingFrame = Static<typeof PingFrame>
export type ClientFrame = AnyOf<typeof clientFrames>

export const ReadyFrame = Type.Object({
  type: Type.Literal('ready'),
  connectionId: Id,
  protocol: Type.String(),
  heartbeatMs: Count,
  principal: Type.Object({ tier: Type.String(), quota: QuotaView }),
})
export type ReadyFrame = Static<typeof ReadyFrame>

export const AcceptedFrame = Type.Object({
  type: Type.Literal('accepted'),
  requestId: Type.String(),
  turnId: Id,
  sessionId: Id,
  duplicate: Type.Optional(Type.Boolean()),
})
export type AcceptedFrame = Static<typeof AcceptedFrame>

export const QueuedFrame = Type.Object({ type: Type.Literal('queued'), turnId: Id, position: Count, etaMs: Count })
export type QueuedFrame = Static<typeof QueuedFrame>

export const MetaFrame = Type.Object({
  type: Type.Literal('meta'),
  turnId: Id,
  tier: AnswerTier,
  model: Type.String(),
  /** The answer did not come from the first choice of its route, nor from a model above it. */
  degraded: Type.Boolean(),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  reason: Type.Optional(Type.String()),
  cached: Type.Optional(Type.Boolean()),
  /** The model thinks before its first text; absent in the next `meta`. */
  thinking: Type.Optional(Type.Boolean()),
  unsaved: Type.Optional(Type.Boolean()),
  products: Type.Array(ProductCard),
  /** Follow-ups, at most three; only in the last `meta` of an answer, and absent when there are none. */
  suggestions: Type.Optional(Suggestions),
  /** What the answer was made from; only in the last `meta`, and absent when it used nothing of the store. */
  sources: Type.Optional(Sources),
  /** Only where a model answered. */
  prompt: Type.Optional(PromptInfo),
  /** Only where the server routes questions. */
  route: Type.Optional(RouteInfo),
  quota: QuotaView,
  /** When the price and stock of the cards were current, if they could not be read now; null: not known. */
  offersAsOf: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Sentences for the shopper: what remains of an allowance, and that price and stock are not of now. */
  warning: Type.Optional(Type.String()),
  /** How to reach a person of the shop; only where the answer needs one. */
  contact: Type.Optional(Type.String()),
})
export type MetaFrame = Static<typeof MetaFrame>

export const ChunkFrame = Type.Object({
  type: Type.Literal('chunk'),
  turnId: Id,
  epoch: Count,
  seq: Count,
  /** The position of `text` in the answer, in UTF-16 units. */
  offset: Count,
  text: Type.String(),
})
export type ChunkFrame = Static<typeof ChunkFrame>

export const HeartbeatFrame = Type.Object({ type: Type.Literal('heartbeat'), at: Type.String() })
export type HeartbeatFrame = Static<typeof HeartbeatFrame>

export const BackpressureFrame = Type.Object({
  type: Type.Literal('backpressure'),
  action: Type.Union([Type.Literal('pause'), Type.Literal('slow'), Type.Literal('none')]),
  retryAfterMs: Count,
  message: Type.String(),
})
export type BackpressureFrame = Static<typeof BackpressureFrame>

export const TransferredFrame = Type.Object({ type: Type.Literal('transferred'), sessionId: Id })
export type TransferredFrame = Static<typeof TransferredFrame>

export const Usage = Type.Object({ inputTokens: Count, outputTokens: Count, estimated: Type.Boolean() })
export type Usage = Static<typeof Usage>

export const Timings = Type.Object({
  /** Time from acceptance to the first text; null when there was none. */
  ttftMs: Type.Union([Count, Type.Null()]),
  totalMs: Count,
  tokensPerSecond: Type.Number({ minimum: 0 }),
})
export type Timings = Static<typeof Timings>

export const DoneFrame = Type.Object({
  type: Type.Literal('done'),
  turnId: Id,
  finishReason: FinishReason,
  /** The length of the whole text, in UTF-16 units. */
  length: Count,
  /** The hash of the whole text as UTF-8, hexadecimal. */
  sha256: Type.String(),
  /**
   * Tokens of all model calls for the turn; when the caller sent its own prompt, only those of the call that answered.
   */
  usage: Usage,
  /** The cost of all model calls for the turn. */
  costMicroUsd: Count,
  timings: Timings,
  tier: AnswerTier,
  model: Type.String(),
  sessionVersion: Count,
  /** False where the answer is incomplete and too long to be continued: it can be asked again. */
  continuable: Type.Optional(Type.Literal(false)),
  /** The class of the model's error, when the answer is incomplete. */
  failure: Type.Optional(Type.String()),
  /** The wait before another question that the provider asked for, if it did. */
  retryAfterMs: Type.Optional(Count),
})
export type DoneFrame = Static<typeof DoneFrame>

export const ErrorBody = Type.Object({
  code: ErrorCode,
  message: Type.String(),
  retryAfterMs: Type.Optional(Count),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type ErrorBody = Static<typeof ErrorBody>

export const ErrorFrame = Type.Object({
  type: Type.Literal('error'),
  requestId: Type.Optional(Type.String()),
  turnId: Type.Optional(Id),
  ...ErrorBody.properties,
})
export type ErrorFrame = Static<typeof ErrorFrame>

export const serverFrames = {
  ready: ReadyFrame,
  accepted: AcceptedFrame,
  queued: QueuedFrame,
  meta: MetaFrame,
  chunk: ChunkFrame,
  heartbeat: HeartbeatFrame,
  backpressure: BackpressureFrame,
  transferred: TransferredFrame,
  done: DoneFrame,
  error: ErrorFrame,
} as const
export type ServerFrame = AnyOf<typeof serverFrames>

/** WebSocket close codes. The README of the client says what it does after each. */
export const closeCodes = {
  goingAway: 1001,
  policy: 1008,
  tooBig: 1009,
  /** The server failed to serve the connection: reconnect later. */
  internal: 1011,
  /** The token or ticket has expired: reconnect with a new one. */
  identityExpired: 4401,
  idle: 4408,
  tooSlow: 4409,
  tooManyConnections: 4429,
} as const
