// Schemas that several parts of the admin API share.
import Type from 'typebox'
import type { Static } from 'typebox'

/** Far above any real limit, and exactly representable in every store. */
const FIGURE_MAX = 1e12
const PAGE_MAX = 1000

export const Positive = Type.Integer({ minimum: 1, maximum: FIGURE_MAX })
export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A date in the shop’s time zone' })
export const UserId = Type.String({ minLength: 1, maxLength: 256, description: 'The id of the user in the ledger' })
export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'The reason of the change, for the audit: with something visible, and without control characters',
})

export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
  after: Type.Optional(Type.String({ maxLength: 2048, description: 'The `metadata.next` of the previous page' })),
}

export const RejectedView = Type.Object(
  {
    model: Type.String({ description: 'Its configured name' }),
    cause: Type.Enum(['access-denied', 'not-found', 'invalid'], { description: 'That of the last call' }),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status of the last call' })),
    calls: Type.Integer({ minimum: 1, description: 'How many in a row' }),
    since: Type.String({ description: 'When the first of them ended' }),
  },
  { description: 'A model whose vendor rejects our calls: an operator has to act' },
)
export type RejectedView = Static<typeof RejectedView>
export const EstimateMethod = Type.Enum(['calibrated', 'family', 'generic'], {
  description:
    '`calibrated` by the model’s own calls; before, the costs of its tokenizer’s family, or `generic` ones where that is unknown',
})
