// The limits of a user tier. A part of `config.ts`.
import Type from 'typebox'
import { Positive, section } from './section.ts'

/** Limit of every tier and every override. */
const OUTPUT_TOKENS_PER_REQUEST_MAX = 2048

export const Tier = section({
  /** Input tokens of one user in a day. */
  inputTokensPerDay: Positive,
  /** Output tokens of one user in a day. */
  outputTokensPerDay: Positive,
  /** Cost of one user in a day, in millionths of a dollar. */
  microUsdPerDay: Positive,
  /** Questions of one user in a minute. */
  requestsPerMinute: Positive,
  /** Output tokens of one answer. */
  outputTokensPerRequest: Type.Integer({ minimum: 1, maximum: OUTPUT_TOKENS_PER_REQUEST_MAX }),
  /** Multiplies the user's rate and burst. */
  rateFactor: Type.Number({ minimum: 0.1, maximum: 100 }),
  /** Names of the models that `/v1` offers to this tier. Default: the ladder. Guests get only models of the ladder. */
  models: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
})
