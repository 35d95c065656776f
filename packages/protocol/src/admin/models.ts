// What the models and their lanes did in a stretch of time.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { EstimateMethod, RejectedView } from './common.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** The longest stretch of time: what is older is not kept. */
export const MODEL_HOURS_MAX = 192

export const ModelsQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MODEL_HOURS_MAX, description: 'How many hours before `to`. Default: 24' }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
      description: 'A time with its zone, or a day of the shop, whose end is meant. Default: now',
    }),
  ),
})
export type ModelsQuery = Static<typeof ModelsQuery>

const figures = {
  calls: Type.Integer({ minimum: 0, description: 'For turns; house calls such as probes are not in it' }),
  failures: Count,
  answers: Type.Integer({ minimum: 0, description: 'Turns that it answered' }),
  costMicroUsd: Count,
  inputTokens: Count,
  outputTokens: Count,
  firstWordsP50Ms: orNull(Type.Integer({ minimum: 0, description: 'From the beginning of a call to its first words' })),
  firstWordsP95Ms: orNull(Count),
  totalP50Ms: orNull(
    Type.Integer({
      minimum: 0,
      description: 'The whole time of complete calls, and of those that the deadline of their turn ended',
    }),
  ),
  totalP95Ms: orNull(Count),
}

const Price = Type.Object({ inputMicroUsdPerMillion: Type.Number(), outputMicroUsdPerMillion: Type.Number() })

export const FaultView = Type.Object({
  outcome: Type.String({ description: 'The class of the error' }),
  status: Type.Optional(Type.Integer()),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String({ description: 'What the vendor said the last time, redacted' })),
  count: Type.Integer({ minimum: 1, description: 'How often; figures in the words aside' }),
  lastAt: Type.String(),
  turnId: Type.String({ description: 'The turn of the last one' }),
})
export type FaultView = Static<typeof FaultView>

export const ModelView = Type.Object({
  model: Type.String({ description: 'Its configured name' }),
  id: orNull(Type.String({ description: 'The vendor’s id; null for a model that is not configured any more' })),
  lane: orNull(Type.String()),
  price: orNull(Price),
  rejected: orNull(RejectedView),
  ...figures,
  share: orNull(Type.Number({ description: 'The share of all ended turns that it answered; null without turns' })),
  estimator: orNull(
    Type.Object(
      {
        method: EstimateMethod,
        family: Type.String({ description: 'The family of its tokenizer' }),
        observations: Type.Integer({ minimum: 0, description: 'Calls of all nodes that were compared' }),
        isCalibrated: Type.Boolean({ description: 'From 20 calls on' }),
        bias: orNull(Type.Number({ description: 'The mean of (estimate − actual) ÷ actual over recent calls' })),
        error: orNull(Type.Number({ description: 'The mean of its size' })),
        confidence: orNull(Type.Number({ description: 'The share of recent calls whose estimate was within 10 %' })),
      },
      {
        description:
          'How its input tokens are estimated now, whatever the time of the report; null for the built-in model',
      },
    ),
  ),
  outcomes: Type.Record(Type.String(), Count, { description: 'How its calls ended' }),
  faults: Type.Array(FaultView, { description: 'Most frequent first' }),
  history: Type.Array(Type.Object({ at: Type.String(), ...figures }), {
    description: 'In steps of `stepMs`, oldest first',
  }),
})
export type ModelView = Static<typeof ModelView>

const Phase = Type.Enum(['closed', 'open', 'half-open', 'recovering'])

export const LaneChangeView = Type.Object({
  at: Type.String(),
  from: orNull(Phase),
  to: Phase,
  why: Type.Enum(
    ['started', 'failures', 'probing', 'probe-failed', 'probes-passed', 'recovered', 'force-open', 'disable', 'reset'],
    { description: '`started`: a node began, and found the lane in another phase than it was in before' },
  ),
  by: Type.Optional(Type.String({ description: 'The operator who acted' })),
  calls: Type.Integer({ minimum: 0, description: 'In the ten seconds before' }),
  failures: Count,
})
export type LaneChangeView = Static<typeof LaneChangeView>

export const LanePhasesView = Type.Object({
  lane: Type.String(),
  models: Type.Array(Type.String()),
  node: Type.Optional(Type.String({ description: 'Where a lane belongs to one node: that node' })),
  spans: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), phase: Phase }), {
    description: 'The phases of its circuit without gaps, oldest first; begins later where nothing is known before',
  }),
  openMs: Count,
  openings: Type.Integer({ minimum: 0, description: 'How often its circuit opened; a failed probe is no opening' }),
  changes: Type.Array(LaneChangeView, { description: 'Newest first' }),
})
export type LanePhasesView = Static<typeof LanePhasesView>

export const RoutingProposalView = Type.Object(
  {
    saved: Type.Number({ description: 'The share of the models’ cost, if the first model answered everything' }),
    source: Type.Enum(['recorded', 'bundled'], {
      description: 'Over the shop’s own last turns, or over those that come with the program',
    }),
    turns: Count,
    ladderMicroUsd: Type.Integer({ minimum: 0, description: 'If the first model answered all of these turns' }),
    routedMicroUsd: Count,
    levels: Type.Record(Type.String(), Type.String(), {
      description: 'The model that would be asked first, by the complexity of the question',
    }),
    setting: Type.String({ description: 'What to write into the configuration' }),
  },
  { description: 'What routing would save; absent while it is on, where it would not pay, and until it is worked out' },
)
export type RoutingProposalView = Static<typeof RoutingProposalView>

export const SlowModelsView = Type.Object(
  {
    model: Type.String({ description: 'The quickest of them' }),
    p95Ms: Count,
    promisedMs: Type.Integer({ minimum: 0, description: '`answers.firstWordMs`' }),
    waitedMs: Type.Integer({
      minimum: 0,
      description: 'How long a question waits for its first word in place of that',
    }),
  },
  { description: 'Absent while not all models of the ladder need longer for their first words than is promised' },
)
export type SlowModelsView = Static<typeof SlowModelsView>

export const ModelsView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  stepMs: Count,
  turns: Type.Integer({ minimum: 0, description: 'That ended' }),
  tiers: Type.Record(Type.String(), Count, { description: 'How many of them each answer tier answered' }),
  models: Type.Array(ModelView),
  lanes: Type.Array(LanePhasesView),
  routing: Type.Optional(RoutingProposalView),
  slow: Type.Optional(SlowModelsView),
})
export type ModelsView = Static<typeof ModelsView>
