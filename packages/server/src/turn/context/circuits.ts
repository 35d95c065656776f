// The circuits around gathering's dependencies: the search, the catalogue that knows the names of series, and the
// conversations. Made once for a process.
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { LaneFigures } from '#domain/lane/policy-for.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import { Circuit } from './circuit.ts'

const NAMES = ['search', 'catalogue', 'sessions'] as const

export type ContextCircuits = Readonly<Record<(typeof NAMES)[number], Circuit>>

export function contextCircuits({
  random,
  clock,
  config,
}: {
  readonly random: Pick<Random, 'float'>
  readonly clock: Clock
  readonly config: Pick<LaneFigures, 'lanes'>
}): ContextCircuits {
  const circuitOf = (name: (typeof NAMES)[number]): Circuit => {
    const policy = dependencyPolicy(config, name)
    return new Circuit({
      clock,
      lane: new NodeLane({ name, policy, now: () => clock.now(), float: () => random.float() }),
    })
  }
  return { search: circuitOf('search'), catalogue: circuitOf('catalogue'), sessions: circuitOf('sessions') }
}
