// Experiments: which are configured and run, starting and stopping one, and its report.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const Stop = Type.Object({
  at: Type.String(),
  by: Type.String({ description: 'The operator’s token, or `guard`' }),
  reason: Type.String(),
})

export const ExperimentParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) })

export const ExperimentView = Type.Object({
  name: Type.String(),
  state: Type.Enum(['configured', 'running', 'changed', 'stopped'], {
    description:
      '`configured`: never started. `changed`: started with another split or other changes than this server’s configuration has; ' +
      'it does not run here',
  }),
  layer: Type.String(),
  from: Type.Number(),
  to: Type.Number(),
  outcome: Type.String({ description: 'The outcome that decides' }),
  arms: Type.Array(
    Type.Object({
      arm: Type.String(),
      weight: Type.Number(),
      changes: Type.Array(Type.String(), { description: 'The settings that it changes' }),
      stopped: orNull(Stop),
    }),
  ),
  started: orNull(Stop),
  stopped: orNull(Stop),
})
export type ExperimentView = Static<typeof ExperimentView>

export const ReportQuery = Type.Object({
  effect: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10,
      default: 0.05,
      description: 'The relative difference that the experiment should be able to find, such as 0.05',
    }),
  ),
})
export type ReportQuery = Static<typeof ReportQuery>

const IntervalView = Type.Object({ low: Type.Number(), high: Type.Number() })

const OutcomeView = Type.Object({
  outcome: Type.String(),
  kind: Type.Enum(['share', 'count', 'microUsd', 'ms']),
  better: Type.Enum(['higher', 'lower', 'either']),
  units: Count,
  mean: Type.Number(),
  control: Type.Number({ description: 'The mean of control' }),
  difference: Type.Number(),
  interval: orNull(IntervalView),
  relative: orNull(Type.Object({ difference: Type.Number(), interval: orNull(IntervalView) })),
  verdict: Type.Enum(['higher', 'lower', 'alike', 'undecided'], {
    description: '`alike`: the interval excludes a difference of `effect` in both directions',
  }),
  needed: orNull(Type.Object({ readOnce: Count, atAnyTime: Count })),
})

export const ExperimentReportView = Type.Object({
  experiment: Type.String(),
  outcome: Type.String({ description: 'The outcome that decides' }),
  from: Type.String(),
  to: orNull(Type.String({ description: 'When it was stopped' })),
  effect: Type.Number(),
  turns: Count,
  units: Count,
  sampledShare: Type.Number({ description: 'Below 1: only this share of the units was counted, for memory' }),
  confidence: Type.Number({
    description:
      'Each interval’s: 0.95 with one arm beside control, more with several, so that all arms together have 0.95',
  }),
  split: Type.Object({ chiSquared: Type.Number(), p: Type.Number(), isMismatch: Type.Boolean() }),
  arms: Type.Array(
    Type.Object({
      arm: Type.String({ description: '`control` first, `holdout` last' }),
      turns: Count,
      units: Count,
      stoppedAt: orNull(Type.String()),
      outcomes: Type.Array(OutcomeView, { description: 'Each compared with control; empty for control' }),
    }),
  ),
})
export type ExperimentReportView = Static<typeof ExperimentReportView>
