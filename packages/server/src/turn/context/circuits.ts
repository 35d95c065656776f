// The circuits that gathering goes through, one for each dependency: where products are found, the catalogue that knows the
// names of the series, and the conversations. Made once for a process.
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { LaneFigures } from '#domain/lane/policy-for.ts'
import type { Chance } from '#ports/chance/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import { Circuit } from './circuit.ts'

const NAMES = ['search', 'catalogue', 'sessions'] as const

export type ContextCircuits = Readonly<Record<(typeof NAMES)[number], Circuit>>

export function contextCircuits({
  chance,
  clock,
  config,
}: {
  readonly chance: Pick<Chance, 'float'>
  readonly clock: Clock
  readonly config: Pick<LaneFigures, 'lanes'>
}): ContextCircuits {
  const circuitOf = (name: (typeof NAMES)[number]): Circuit => {
    const policy = dependencyPolicy(config, name)
    return new Circuit({
      clock,
      lane: new NodeLane({ name, policy, now: () => clock.now(), float: () => chance.float() }),
    })
  }
  return { search: circuitOf('search'), catalogue: circuitOf('catalogue'), sessions: circuitOf('sessions') }
}
