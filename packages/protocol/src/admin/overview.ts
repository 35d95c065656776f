// The whole cluster at a glance.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { RejectedView } from './common.ts'
import { ServiceMode } from './settings.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const rates = {
  questions: Type.Integer({ minimum: 0, description: 'Admitted, completions included' }),
  turns: Type.Integer({ minimum: 0, description: 'Ended, of conversations; the percentiles are of the same' }),
  degraded: Type.Integer({
    minimum: 0,
    description: 'Ended turns below the first choice of their route',
  }),
  refused: Count,
  refusals: Type.Record(Type.String(), Count, { description: 'By error code' }),
  costMicroUsd: Type.Integer({ minimum: 0, description: 'At vendors, house calls included' }),
  firstWordsP50Ms: orNull(Count),
  firstWordsP95Ms: orNull(Count),
}

const load = {
  running: Type.Integer({ minimum: 0, description: 'Turns that run' }),
  connections: Type.Integer({ minimum: 0, description: 'WebSocket connections' }),
  waiting: Type.Integer({ minimum: 0, description: 'Turns in the queues of lanes' }),
}

export const OverviewView = Type.Object({
  at: Type.String(),
  mode: ServiceMode,
  stepMs: Count,
  sum: Type.Object({ ...load, ...rates }, { description: 'All nodes, in the last minute that has ended' }),
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      host: Type.String(),
      version: Type.String(),
      self: Type.Boolean(),
      leader: Type.Boolean(),
      draining: Type.Boolean(),
      ...load,
      ...rates,
    }),
    { description: 'Each node, in the last minute that has ended' },
  ),
  halfHour: orNull(
    Type.Object(
      {
        since: Type.String(),
        coveredMs: Type.Integer({ minimum: 0, description: 'From `since` to the last ten seconds that have ended' }),
        ...rates,
      },
      {
        description:
          'The sum of all nodes in the last half hour, or since the node that answers has seen them; null in its first seconds',
      },
    ),
  ),
  history: Type.Array(Type.Object({ at: Type.String(), running: Count, ...rates }), {
    description:
      'All nodes by minute (`stepMs`), oldest first, at most half an hour and without the minute that runs: as the node that answers has seen it since its start',
  }),
  lanes: Type.Array(
    Type.Object({
      lane: Type.String(),
      models: Type.Array(Type.String()),
      scope: Type.Enum(['fleet', 'node']),
      level: Type.String(),
      phase: Type.String(),
      rejected: Type.Array(RejectedView),
      held: orNull(Type.String({ description: 'The action by which an operator holds it' })),
      inFlight: Count,
      limit: orNull(Count),
      calls: Type.Integer({ minimum: 0, description: 'In the last ten seconds' }),
      failures: Count,
    }),
  ),
  spending: Type.Array(
    Type.Object({
      account: Type.Enum(['store', 'guests']),
      day: Type.String(),
      limitMicroUsd: Count,
      reservedMicroUsd: orNull(
        Type.Integer({ minimum: 0, description: 'Spent or leased by nodes today; null while it cannot be read' }),
      ),
    }),
    { description: 'The day’s ceilings' },
  ),
})
export type OverviewView = Static<typeof OverviewView>
