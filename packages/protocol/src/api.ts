// The bodies of `/api`: an envelope for success, one for errors, and the data inside them.
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { PageContext, Sources, Suggestions } from './dialogue.ts'
import { TurnFeedback } from './feedback.ts'
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
  /** Why the answer is degraded. */
  reason: MetaFrame.properties.reason,
  usage: Usage,
  costMicroUsd: Count,
  latencyMs: Count,
  cached: Type.Boolean(),
  timestamp: Type.String(),
  /** Absent until the turn has settled: before that, its answer is not part of the conversation. */
  sessionVersion: Type.Optional(Count),
  length: DoneFrame.properties.length,
  sha256: DoneFrame.properties.sha256,
  duplicate: Type.Optional(Type.Boolean()),
  advice: Type.Optional(Type.String()),
  /** As it is with this answer: after its settlement if it has ended. Absent while the budgets are unavailable. */
  quota: Type.Optional(MetaFrame.properties.quota),
  /**
   * Set from 80 % and from 90 % of a budget of the day or the conversation, with the rest, and when price and stock could not be read
   * now; in the shopper's language.
   */
  warning: MetaFrame.properties.warning,
  offersAsOf: MetaFrame.properties.offersAsOf,
  /** The conversation could not be reached: this turn is added to it later. */
  unsaved: MetaFrame.properties.unsaved,
  suggestions: MetaFrame.properties.suggestions,
  sources: MetaFrame.properties.sources,
  prompt: MetaFrame.properties.prompt,
  route: MetaFrame.properties.route,
})
export type ChatMetadata = Static<typeof ChatMetadata>

/** One stored question and its answer. */
export const SessionTurn = Type.Object({
  turnId: Id,
  question: Type.String(),
  answer: Type.String(),
  language: Language,
  finishReason: FinishReason,
  tier: AnswerTier,
  /** With their current data; products that are no longer sold are omitted. */
  products: Type.Array(ProductCard),
  suggestions: Type.Optional(Suggestions),
  sources: Type.Optional(Sources),
  /** How to reach a person of the shop, as it was shown with the answer. */
  contact: MetaFrame.properties.contact,
  /** The page on which it was asked. */
  page: Type.Optional(PageContext),
  interfaceLanguage: Type.Optional(Language),
  /** The thumb of the caller, if there is one. */
  feedback: Type.Optional(TurnFeedback),
  /** The earlier turn in whose place this one was asked. */
  replaces: Type.Optional(Id),
  /** The later turn that was asked in its place: this one is left out of what follows. */
  replacedBy: Type.Optional(Id),
  /** Its answer begins with the text of the turn that it replaces. */
  continues: Type.Optional(Type.Boolean()),
  continuable: DoneFrame.properties.continuable,
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
  /** Pass it as `before` to get the turns before these; absent when there are none. */
  earlier: Type.Optional(Id),
  /** The turn in flight, so that a page that reloads can show and resume it. */
  runningTurn: Type.Optional(
    Type.Object({
      turnId: Id,
      question: Type.String(),
      /** The turn in whose place it was asked. */
      replaces: Type.Optional(Id),
      /** Its answer begins with the text of that turn. */
      continues: Type.Optional(Type.Boolean()),
    }),
  ),
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
  /** The token of an earlier response; without it the caller becomes a new guest. */
  guestToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type TicketRequest = Static<typeof TicketRequest>

export const Ticket = Type.Object({
  /** Identifies the guest for as long as the widget stores it. A secret: it is sent only to this route. */
  guestToken: Type.String(),
  /** Credential for `/api` (`Authorization: Bearer`) and `/ws` (`?ticket=`), only for the origin that requested it. */
  ticket: Type.String(),
  expiresAt: Type.String(),
})
export type Ticket = Static<typeof Ticket>

export const EnvelopeMetadata = Type.Object({ timestamp: Type.String() })

export const PagedMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  next: Type.Optional(Type.String({ description: 'Pass it as `after` to get the next page; absent on the last page' })),
})

export const ProductsMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  /** Pass it as `after` to get the next page; absent on the last page. */
  next: Type.Optional(Type.String()),
  /** How many series match the search and the filters. */
  total: Type.Optional(Type.Integer({ minimum: 0 })),
})

export const FaqMetadata = Type.Object({
  ...EnvelopeMetadata.properties,
  /** How a shopper reaches a person of the shop. */
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
