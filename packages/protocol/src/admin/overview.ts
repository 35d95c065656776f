// The whole cluster at a glance.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count } from '../vocabulary.ts'
import { ServiceMode } from './settings.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const rates = {
  questions: Type.Integer({ minimum: 0, description: 'Admitted, completions included' }),
  turns: Type.Integer({ minimum: 0, description: 'Ended, of conversations; the percentiles are of the same' }),
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
  history: Type.Array(Type.Object({ at: Type.String(), running: Count, ...rates }), {
    description:
      'All nodes in steps of `stepMs`, oldest first, at most half an hour: as the node that answers has seen it since its start',
  }),
  lanes: Type.Array(
    Type.Object({
      lane: Type.String(),
      models: Type.Array(Type.String()),
      scope: Type.Enum(['fleet', 'node']),
      level: Type.String(),
      phase: Type.String(),
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
