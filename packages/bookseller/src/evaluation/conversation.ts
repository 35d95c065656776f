// Conversations with what a right answer must do, turn by turn, as they lie in the evaluation files. The writers knew the
// shop and not the program.
import Type from 'typebox'
import type { Static } from 'typebox'

const Text = Type.String({ minLength: 1 })

/** The kinds of answers; several are acceptable for most questions. */
export const ANSWER_ACTS = [
  'suggest',
  'identify',
  'inform',
  'compare',
  'explain',
  'ask',
  'acknowledge',
  'policy',
  'sorry',
  'contact',
  'buy',
  'order',
  'identity',
  'greet',
  'thanks',
  'bye',
  'decline',
  'unstocked',
  'language',
] as const
export type AnswerAct = (typeof ANSWER_ACTS)[number]

/** Facts that an answer must state; `@2` is the second series of the list last shown, `@focus` the one talked about. */
export const EXPECTED_FACTS = [
  'volumes',
  'status',
  'price',
  'total',
  'author',
  'stock',
  'magazine',
  'year',
  'age',
  'synopsis',
  'anime',
  'content',
] as const

export const Expectation = Type.Object(
  {
    acts: Type.Array(Type.Enum([...ANSWER_ACTS]), { minItems: 1 }),
    anyOf: Type.Optional(Type.Array(Text)),
    allOf: Type.Optional(Type.Array(Text)),
    noneOf: Type.Optional(Type.Array(Text)),
    /** What every series shown must meet: `total<=5000`, `age<=10`, `not-genre=horror`. */
    rules: Type.Optional(Type.Array(Text)),
    facts: Type.Optional(Type.Array(Type.Object({ of: Text, field: Type.Enum([...EXPECTED_FACTS]) }))),
    sum: Type.Optional(Type.Object({ of: Type.Array(Text, { minItems: 1 }) })),
    faq: Type.Optional(Text),
    says: Type.Optional(Type.Array(Text, { minItems: 1 })),
    language: Type.Optional(Type.Enum(['ja', 'en'])),
    questionsMax: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
)
export type Expectation = Static<typeof Expectation>

export const Conversation = Type.Object({
  id: Text,
  language: Type.Enum(['ja', 'en']),
  shopper: Text,
  turns: Type.Array(Type.Object({ say: Text, page: Type.Optional(Text), expect: Expectation }), { minItems: 1 }),
})
export type Conversation = Static<typeof Conversation>
