// Experiments: splits of the shoppers over models, prompts and parameters. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { OUTCOMES } from '#domain/experiments/outcomes.ts'
import { RoutingRules } from './routing.ts'
import { Positive, section } from './section.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const NAME = '^[a-z][a-z0-9-]{0,39}$'
const NAME_IN_WORDS = 'of lower-case letters, digits and dashes that begins with a letter, at most 40'

const ModelName = Type.Optional(Type.String({ minLength: 1 }))

const Arm = section({
  /** Relative to the weights of the other arms. */
  weight: Type.Number({ exclusiveMinimum: 0 }),
  /** How the arm differs from the configuration; `control` has no change. */
  change: Type.Optional(
    section({
      /** Folder of the arm's own system prompts; relative like `store.prompts`. */
      prompts: Type.Optional(Type.String({ minLength: 1 })),
      /** Switches `routing` on or off for the arm. */
      routing: Type.Optional(Type.Boolean()),
      /** Replaces these of `routing.levels`. */
      levels: Type.Optional(section({ simple: ModelName, moderate: ModelName, complex: ModelName })),
      /** In place of `routing.rules`. */
      rules: Type.Optional(RoutingRules),
      temperature: Type.Optional(Share),
      /** The longest answer in tokens, within the user's own limit. */
      maxTokens: Type.Optional(Positive),
    }),
  ),
})

const Experiment = section({
  /** Experiments of one layer never share a shopper: their ranges must not overlap. Those of other layers are independent. */
  layer: Type.Optional(Type.String({ pattern: NAME, description: `a name ${NAME_IN_WORDS}` })),
  /** The part of the layer's shoppers that takes part: from here … */
  from: Type.Optional(Share),
  /** … to here, which is not included. */
  to: Type.Optional(Share),
  arms: Type.Record(Type.String({ pattern: NAME }), Arm, { description: `a name ${NAME_IN_WORDS}` }),
  /** The outcome that decides. */
  outcome: Type.Enum([...OUTCOMES]),
  /** Stops an arm that passes a bound; its shoppers get control's settings. */
  guard: Type.Optional(
    section({
      /** The share of an arm's turns that may fail. */
      errorShareMax: Type.Optional(Share),
      /** How many times control's cost a turn of the arm may cost. */
      costRatioMax: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      /** Nothing is stopped before the arm and control have this many turns each. Default: 200. */
      turnsMin: Type.Optional(Positive),
    }),
  ),
})

export const experimentsShapes = {
  /** Named splits of the shoppers. Nothing runs until an operator starts it. */
  experiments: section({
    /** The share of all shoppers that no experiment ever changes. */
    holdoutShare: Type.Number({ minimum: 0, maximum: 0.5 }),
    list: Type.Record(Type.String({ pattern: NAME }), Experiment, { description: `a name ${NAME_IN_WORDS}` }),
  }),
}

export const experimentsDefaults: Static<Type.TObject<typeof experimentsShapes>> = {
  experiments: { holdoutShare: 0.05, list: {} },
}
