// The lanes of models and other dependencies, an operator's actions on them, and maintenance.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { Reason, RejectedView } from './common.ts'

const OperatorMark = Type.Object({ action: Type.String(), by: Type.String(), at: Type.String() })
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const LaneParams = Type.Object({
  lane: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The name in the list of lanes, URL-encoded; or the configured name of a model that uses the lane',
  }),
})

export const LaneAction = Type.Object({
  action: Type.Enum(['force-open', 'reset', 'disable'], {
    description:
      '`force-open` refuses every call, `disable` removes circuit and limit, both until the next action; `reset` ' +
      'returns the lane to automatic control, with a closed circuit and no limit',
  }),
  reason: Reason,
})
export type LaneAction = Static<typeof LaneAction>

export const LaneView = Type.Object({
  lane: Type.String({
    description: 'A model at a provider in a region, or `search`, `catalogue`, `sessions`, `redis`',
  }),
  models: Type.Array(Type.String(), {
    description: 'Configured names of its models; empty for a lane of another dependency',
  }),
  scope: Type.Enum(['fleet', 'node'], {
    description: 'Which nodes share this state and an action on it: all (`fleet`), or only the node that answers',
  }),
  level: Type.Enum(['normal', 'slight', 'high', 'recovery', 'open']),
  phase: Type.Enum(['closed', 'open', 'half-open', 'recovering']),
  epoch: Count,
  inFlight: Count,
  limit: orNull(Count),
  pace: orNull(
    Type.Number({ description: 'Calls a second that begin at most, while the provider refuses some for load' }),
  ),
  bucket: Type.Number({ description: 'The budget for retries' }),
  bucketMax: Type.Number(),
  opensAt: orNull(Type.String({ description: 'When an open circuit allows its first probe' })),
  probes: orNull(Type.Object({ stage: Count, passed: Count, probesMax: Count })),
  recent: Type.Object({ calls: Count, failures: Count, retries: Count, shed: Count }),
  operator: orNull(OperatorMark),
  rejected: Type.Array(RejectedView, { description: 'Those of its models whose last calls their vendor has rejected' }),
})
export type LaneView = Static<typeof LaneView>

/** Null while the service is open. */
export const Maintenance = orNull(Type.Object({ by: Type.String(), at: Type.String() }))
export type Maintenance = Static<typeof Maintenance>

export const MaintenanceChange = Type.Object({ on: Type.Boolean(), reason: Reason })
export type MaintenanceChange = Static<typeof MaintenanceChange>
