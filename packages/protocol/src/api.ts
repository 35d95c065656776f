// The bodies of `/api`: one envelope for success and one for refusal, and what goes inside them.
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { DoneFrame, ErrorBody, MetaFrame, Usage } from './frames.ts'
import { ProductCard } from './products.ts'
import { AnswerTier, Count, FinishReason, Id, Language } from './vocabulary.ts'

export const ChatAnswer = Type.Object({
  sessionId: Id,
  turnId: Id,
  text: Type.String(),
  products: Type.Array(ProductCard),
  finishReason: FinishReason,
})
export type ChatAnswer = Static<typeof ChatAnswer>

export const ChatMetadata = Type.Object({
  requestId: Type.Optional(Type.String()),
  model: Type.String(),
  tier: AnswerTier,
  degraded: Type.Boolean(),
  confidence: Type.Number(),
  /** Why it is less than the route's own choice. */
  reason: MetaFrame.properties.reason,
  usage: Usage,
  costMicroUsd: Count,
  latencyMs: Count,
  cached: Type.Boolean(),
  timestamp: Type.String(),
  /** Absent while the turn has not settled: its answer is not part of the conversation yet. */
  sessionVersion: Type.Optional(Count),
  length: DoneFrame.properties.length,
  sha256: DoneFrame.properties.sha256,
  duplicate: Type.Optional(Type.Boolean()),
  advice: Type.Optional(Type.String()),
  /** As in `meta`. */
  quota: Type.Optional(MetaFrame.properties.quota),
  /** At 80 and 90 % of the day's or the conversation's allowance, with what remains, in the shopper's language. */
  warning: MetaFrame.properties.warning,
})
export type ChatMetadata = Static<typeof ChatMetadata>

/** One question and its answer, as kept. */
export const SessionTurn = Type.Object({
  turnId: Id,
  question: Type.String(),
  answer: Type.String(),
  language: Language,
  finishReason: FinishReason,
  tier: AnswerTier,
  /** As they are now: what is no longer sold is left out. */
  products: Type.Array(ProductCard),
  at: Type.String(),
})
export type SessionTurn = Static<typeof SessionTurn>

export const SessionSummary = Type.Object({
  sessionId: Id,
  title: Type.String(),
  version: Count,
  createdAt: Type.String(),
  lastActiveAt: Type.String(),
})
export type SessionSummary = Static<typeof SessionSummary>

export const SessionDetail = Type.Object({
  ...SessionSummary.properties,
  turns: Type.Array(SessionTurn),
  /** The turn that is being answered now, so that a page that reloads can show and resume it. */
  runningTurn: Type.Optional(Type.Object({ turnId: Id, question: Type.String() })),
})
export type SessionDetail = Static<typeof SessionDetail>

export const FaqItem = Type.Object({
  id: Type.String(),
  topic: Type.String(),
  topicLabel: Type.String(),
  question: Type.String(),
  answer: Type.String(),
})
export type FaqItem = Static<typeof FaqItem>

export const TicketRequest = Type.Object({
  /** What an earlier answer gave; without it the caller becomes a new guest. */
  guestToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type TicketRequest = Static<typeof TicketRequest>

export const Ticket = Type.Object({
  /** Who the guest is, for as long as the widget keeps it. A secret: it is sent nowhere but here. */
  guestToken: Type.String(),
  /** Opens `/api` (`Authorization: Bearer`) and `/ws` (`?ticket=`) to pages of the origin that asked for it. */
  ticket: Type.String(),
  expiresAt: Type.String(),
})
export type Ticket = Static<typeof Ticket>

export const EnvelopeMetadata = Type.Object({ timestamp: Type.String() })

export const PagedMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  next: Type.Optional(Type.String({ description: 'To be given as `after` for what follows; absent at the end' })),
})

export const ProductsMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  /** To be given as `after` for what follows; absent at the end. */
  next: Type.Optional(Type.String()),
})

export const FaqMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  /** Where a shopper finds a person. */
  contact: Type.String(),
})

export const successEnvelope = <Data extends TSchema, Metadata extends TSchema>(data: Data, metadata: Metadata) =>
  Type.Object({ success: Type.Literal(true), data, metadata })

export const ErrorEnvelope = Type.Object({
  success: Type.Literal(false),
  error: ErrorBody,
  metadata: EnvelopeMetadata,
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>
