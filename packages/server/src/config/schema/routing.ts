// Which model a question is asked first. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { ANSWERED_WITHOUT_MODEL, ROUTED_LEVELS, ROUTED_SURE_FROM } from '#domain/routing/routing-settings.ts'
import { Positive, section } from './section.ts'

const ModelName = Type.String({ minLength: 1 })

const Rule = section({
  /** Shown as `rule` with every turn that it decides. */
  name: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,39}$',
    description: 'a name of lower-case letters, digits and dashes that begins with a letter, at most 40',
  }),
  /** All conditions that are given must hold. */
  when: section({
    /** Names of `tiers`. */
    userTiers: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    complexity: Type.Optional(Type.Array(Type.Enum([...ROUTED_LEVELS]), { minItems: 1 })),
    languages: Type.Optional(Type.Array(Type.Enum(['ja', 'en']), { minItems: 1 })),
    /** The path of the page on which the question is asked; `*` stands for anything. */
    page: Type.Optional(
      Type.String({ pattern: '^[/*].{0,511}$', description: 'a path such as /series/*, where * stands for anything' }),
    ),
    /** Less than this share of the user's budget of the day or the conversation is left. */
    budgetLeftUnder: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    /** Less time than this is left until the first word is due. */
    timeLeftUnderMs: Type.Optional(Positive),
    /** The circuit of each of these models refuses calls. */
    lanesDown: Type.Optional(Type.Array(ModelName, { minItems: 1 })),
  }),
  /** The model that is asked first: a name on the ladder. */
  use: ModelName,
})

/** Bounded, because each name is a value of a metric's label. */
export const RoutingRules = Type.Array(Rule, { maxItems: 20 })

export const routingShapes = {
  /**
   * Chooses for each question of a shopper the model of the ladder that is asked first; the others follow in their order. Off: the
   * ladder is asked from its top.
   */
  routing: section({
    enabled: Type.Boolean(),
    /** The model that is asked first, by the complexity of the question: names on the ladder. */
    levels: section({ simple: ModelName, moderate: ModelName, complex: ModelName }),
    /** A level that is enough with less probability than this is not taken: the question goes up one level. */
    sureFrom: Type.Number({ minimum: 0, maximum: 1 }),
    /** What the built-in responder answers without a model, when the question is read with certainty. */
    withoutModel: Type.Array(Type.Enum([...ANSWERED_WITHOUT_MODEL]), { uniqueItems: true }),
    /**
     * After a complaint about an answer, a thumb down for it, or one that the store contradicts, the next question of the
     * conversation asks the model of `complex`.
     */
    escalate: Type.Boolean(),
    /** The first rule that matches decides, before `levels`. */
    rules: RoutingRules,
  }),
}

export const routingDefaults: Static<Type.TObject<typeof routingShapes>> = {
  routing: {
    enabled: false,
    levels: { simple: 'economy', moderate: 'economy', complex: 'primary' },
    sureFrom: ROUTED_SURE_FROM,
    withoutModel: [],
    escalate: true,
    rules: [],
  },
}
