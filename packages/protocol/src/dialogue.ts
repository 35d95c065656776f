// What a question says about the page it is asked from, and what an answer offers besides its text and cards: follow-up
// questions, the sources of its facts, the version of its prompt, why its model was asked.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Id } from './vocabulary.ts'

export const PAGE_PATH_MAX = 512

/** Where the shopper is while asking. Data from the browser: it is never trusted to name anything that exists. */
export const PageContext = Type.Object({
  /** The series whose page is open: "is this one finished?" is about it. */
  productId: Type.Optional(Id),
  path: Type.Optional(
    Type.String({
      maxLength: PAGE_PATH_MAX,
      pattern: '^/[\\x21-\\x7E]*$',
      description: 'The path of the page, without its query.',
    }),
  ),
})
export type PageContext = Static<typeof PageContext>

export const SUGGESTIONS_MAX = 3
export const SUGGESTION_LABEL_MAX = 60
export const SUGGESTION_MESSAGE_MAX = 300

/** A follow-up that the shopper can choose: `message` is sent as if it were typed. The first is what "yes" means. */
export const Suggestion = Type.Object({
  label: Type.String({ minLength: 1, maxLength: SUGGESTION_LABEL_MAX, description: 'The text of a button.' }),
  message: Type.String({
    minLength: 1,
    maxLength: SUGGESTION_MESSAGE_MAX,
    description: 'What is sent when it is chosen.',
  }),
})
export type Suggestion = Static<typeof Suggestion>
export const Suggestions = Type.Array(Suggestion, {
  maxItems: SUGGESTIONS_MAX,
  description: 'Follow-up questions, the most likely first; absent when there are none.',
})

export const SOURCES_MAX = 20

/** A product or an FAQ entry that the answer was made from, and when its data was read (ISO 8601). */
export const Source = Type.Object({
  kind: Type.Union([Type.Literal('product'), Type.Literal('faq')]),
  id: Type.String({ minLength: 1, maxLength: 200 }),
  at: Type.String({ description: 'When its data was read, ISO 8601.' }),
})
export type Source = Static<typeof Source>
export const Sources = Type.Array(Source, {
  maxItems: SOURCES_MAX,
  description: 'What the answer was made from; absent when it used no product and no FAQ entry.',
})

/** The system prompt of the model that answered. */
export const PromptInfo = Type.Object({ version: Type.String({ minLength: 1, maxLength: 100 }) })
export type PromptInfo = Static<typeof PromptInfo>

/** Why the turn's first model was chosen. */
export const RouteInfo = Type.Object({
  first: Type.String({
    description:
      'The configured name of the model that is asked first; `embedded`: the built-in responder, without a model.',
  }),
  rule: Type.String({
    description: 'What decided: `complexity`, `escalated`, `no-model`, or the name of a configured rule.',
  }),
  why: Type.String({ description: 'One line for people, such as `economy: simple, 0.93`.' }),
  complexity: Type.Enum(['simple', 'moderate', 'complex']),
})
export type RouteInfo = Static<typeof RouteInfo>
