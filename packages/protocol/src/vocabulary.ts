// The words both sides share: languages, tiers, ends. Every schema below is built from these,
// so that a name exists once. Used by frames, the REST answers, the turn log and the ledger.
import Type from 'typebox'
import type { Static } from 'typebox'

export const PROTOCOL = 'mangaassist.v1'

export const Language = Type.Union([Type.Literal('ja'), Type.Literal('en')])
export type Language = Static<typeof Language>

/** Where an answer came from: its first source that could give one. */
export const AnswerTier = Type.Union([
  Type.Literal('primary'),
  Type.Literal('economy'),
  Type.Literal('cached'),
  Type.Literal('faq'),
  Type.Literal('message'),
  Type.Literal('embedded'),
])
export type AnswerTier = Static<typeof AnswerTier>

/** Why a text ended. Every end has one: silence is not an end. */
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

/** What a principal has bought; its limits are configuration. */
export const QuotaTier = Type.String({ minLength: 1, maxLength: 64 })

export const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.:-]+$' })

export const Count = Type.Integer({ minimum: 0 })

export const Localized = Type.Object({ ja: Type.String(), en: Type.String() })
export type Localized = Static<typeof Localized>
