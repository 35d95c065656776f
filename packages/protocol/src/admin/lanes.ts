// The lanes of models and other dependencies, what an operator does to one, and maintenance.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { Reason } from './common.ts'

const OperatorMark = Type.Object({ action: Type.String(), by: Type.String(), at: Type.String() })
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const LaneParams = Type.Object({
  lane: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'As the list has it, encoded for a URL; or the configured name of a model that goes by it',
  }),
})

export const LaneAction = Type.Object({
  action: Type.Enum(['force-open', 'reset', 'disable'], {
    description:
      '`force-open` lets no call through, `disable` takes circuit and limit away, both until the next action; `reset` ' +
      'gives the lane back to its controller, closed and unlimited',
  }),
  reason: Reason,
})
export type LaneAction = Static<typeof LaneAction>

export const LaneView = Type.Object({
  lane: Type.String({
    description: 'A model at a provider in a region, or `search`, `catalogue`, `sessions`, `redis`',
  }),
  models: Type.Array(Type.String(), { description: 'Configured names; none where the lane is no model’s' }),
  scope: Type.Enum(['fleet', 'node'], {
    description: 'Whose state it is, and where an action takes effect: all nodes, or the node that was asked',
  }),
  level: Type.Enum(['normal', 'slight', 'high', 'recovery', 'open']),
  phase: Type.Enum(['closed', 'open', 'half-open', 'recovering']),
  epoch: Count,
  inFlight: Count,
  limit: orNull(Count),
  bucket: Type.Number({ description: 'What retries can be paid from' }),
  bucketMax: Type.Number(),
  opensAt: orNull(Type.String({ description: 'When an open circuit lets its first probe through' })),
  probes: orNull(Type.Object({ stage: Count, passed: Count, probesMax: Count })),
  recent: Type.Object({ calls: Count, failures: Count, retries: Count, shed: Count }),
  operator: orNull(OperatorMark),
})
export type LaneView = Static<typeof LaneView>

/** Null while the service is open. */
export const Maintenance = orNull(Type.Object({ by: Type.String(), at: Type.String() }))
export type Maintenance = Static<typeof Maintenance>

export const MaintenanceChange = Type.Object({ on: Type.Boolean(), reason: Reason })
export type MaintenanceChange = Static<typeof MaintenanceChange>
