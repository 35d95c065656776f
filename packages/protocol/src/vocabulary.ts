// Values that server and clients share: languages, answer tiers, finish reasons. Frames, REST responses, the turn log
// and the ledger use these schemas, so that each name is defined once.
import Type from 'typebox'
import type { Static } from 'typebox'

export const PROTOCOL = 'mangaassist.v1'

export const Language = Type.Union([Type.Literal('ja'), Type.Literal('en')])
export type Language = Static<typeof Language>

/** The kind of source that answered. */
export const AnswerTier = Type.Union([
  Type.Literal('primary'),
  Type.Literal('economy'),
  Type.Literal('cached'),
  Type.Literal('faq'),
  Type.Literal('message'),
  Type.Literal('embedded'),
])
export type AnswerTier = Static<typeof AnswerTier>

/** Why a text ended. Every answer has one: a stream that just stops has not ended. */
export const FinishReason = Type.Union([
  Type.Literal('stop'),
  Type.Literal('length'),
  Type.Literal('budget'),
  Type.Literal('timeout'),
  Type.Literal('stopped'),
  Type.Literal('interrupted'),
  Type.Literal('blocked'),
  Type.Literal('deferred'),
])
export type FinishReason = Static<typeof FinishReason>

/** The user tier of a principal; its limits are in the configuration. */
export const QuotaTier = Type.String({ minLength: 1, maxLength: 64 })

export const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.:-]+$' })

export const Count = Type.Integer({ minimum: 0 })

export const Localized = Type.Object({ ja: Type.String(), en: Type.String() })
export type Localized = Static<typeof Localized>
