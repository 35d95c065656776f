// The settings of what watches the vendors' models: small probes, and samples of raw responses. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section, Whole } from './section.ts'

export const probingShapes = {
  /** The background check of every vendor's model. */
  probe: section({
    /** How often each model is asked; 0: never. */
    everyMs: Whole,
    deadlineMs: Positive,
    /** What is asked for; some models that think first refuse as little as this. */
    outputTokens: Positive,
    /** How old a result may be and still say something. */
    staleMs: Positive,
    /** How long a changed format is reported, after good answers too. */
    alertHeldMs: Positive,
  }),
  /** Raw responses of providers, redacted, in DATA_DIR/samples. */
  samples: section({
    /** Of all calls; 0: none. */
    share: Type.Number({ minimum: 0, maximum: 1 }),
    countMax: Positive,
    /** Of all samples together; the oldest go first. */
    bytesMax: Type.Integer({ minimum: 64 * 1024 }),
    /** Keeps what was said too. For a test system: answers can hold what shoppers told. */
    withText: Type.Boolean(),
  }),
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const probingDefaults: Static<Type.TObject<typeof probingShapes>> = {
  probe: {
    everyMs: 5 * MINUTE_MS,
    deadlineMs: 15 * SECOND_MS,
    outputTokens: 10,
    staleMs: 10 * MINUTE_MS,
    alertHeldMs: HOUR_MS,
  },
  samples: { share: 0.01, countMax: 1000, bytesMax: 32 * 1024 * 1024, withText: false },
}
