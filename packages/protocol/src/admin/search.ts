// How the assistant understands and finds what some words ask for, with the parts of every score.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Language } from '../vocabulary.ts'

export const SearchExplanationQuery = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 500, description: 'The words, as a shopper would write them' }),
  language: Type.Optional(Type.Unsafe<Static<typeof Language>>({ ...Language, description: 'Default: as detected' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
})
export type SearchExplanationQuery = Static<typeof SearchExplanationQuery>

const Titles = Type.Object({ ja: Type.String(), en: Type.String() })
const Texts = Type.Array(Type.String())
const Score = Type.Number()

export const SearchExplanationView = Type.Object({
  language: Language,
  edition: Type.Union([Type.String(), Type.Null()], { description: 'The edition of the catalogue that was searched' }),
  understood: Type.Object(
    { act: Type.String(), intent: Type.String(), ja: Texts, en: Texts },
    { description: 'What a turn reads from the words, also as sentences for people' },
  ),
  turn: Type.Object(
    {
      products: Type.Array(Type.Object({ id: Type.String(), title: Titles })),
      faq: Type.Array(Type.Object({ id: Type.String(), question: Titles })),
      relaxed: Type.Array(Type.String(), { description: 'Conditions that nothing met, and that were left out' }),
      isUnsure: Type.Boolean({ description: 'The nearest that was found; it may not be what was meant' }),
    },
    { description: 'What an answer to these words could use' },
  ),
  read: Type.Object({ like: Texts, wanted: Texts, avoided: Texts, conditions: Texts }),
  searched: Type.Object({
    terms: Type.Array(Type.String(), { description: 'Terms of the full text' }),
    words: Type.Array(Type.Object({ word: Type.String(), weight: Type.Number() })),
    freedom: Type.Number({ description: 'The share of the question beyond its wishes' }),
  }),
  meaningBy: Type.Object({
    by: Type.Union([Type.Literal('embedder'), Type.Literal('words')]),
    model: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String({ description: 'Why the embedder was not used' })),
  }),
  chosenBy: Type.Optional(
    Type.Object({
      by: Type.Union([Type.Literal('engine'), Type.Literal('own-index')]),
      reason: Type.Optional(Type.String()),
    }),
  ),
  found: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Titles,
      score: Score,
      parts: Type.Object({ text: Score, meaning: Score, wishes: Score, like: Score, named: Score }),
      textPlace: Type.Optional(Type.Integer({ description: 'The place by full text alone' })),
      matched: Type.Optional(Type.Object({ field: Type.String(), text: Type.String() })),
    }),
  ),
  excluded: Type.Array(Type.Object({ id: Type.String(), title: Titles, score: Score, condition: Type.String() })),
})
export type SearchExplanationView = Static<typeof SearchExplanationView>
