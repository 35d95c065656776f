// Monitoring of the vendors' models: format probes, and samples of raw responses. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section, Whole } from './section.ts'

export const probingShapes = {
  /** The format probe of every vendor's model. */
  probe: section({
    /** How often each model is probed; 0: never. */
    everyMs: Whole,
    /** The deadline of one probe. */
    deadlineMs: Positive,
    /** The output limit of a probe. Some models that think first refuse so low a limit. */
    outputTokens: Positive,
    /** An older result counts as unknown. */
    staleMs: Positive,
    /** How long a schema alert stays raised after the last bad response. */
    alertHeldMs: Positive,
  }),
  /** Samples of providers' raw responses, redacted, in DATA_DIR/samples. */
  samples: section({
    /** The share of calls that is sampled; 0: none. */
    share: Type.Number({ minimum: 0, maximum: 1 }),
    /** The most samples; the oldest are deleted first. */
    countMax: Positive,
    /** The size of all samples together; the oldest are deleted first. */
    bytesMax: Type.Integer({ minimum: 64 * 1024 }),
    /** Stores the text of answers too. For test systems only: answers can contain personal data of shoppers. */
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
