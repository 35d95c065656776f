// Assembles this node's place among the nodes of the cluster: it announces itself at intervals, with its load.
import { ANNOUNCE_EVERY_MS, createNodeWatch } from '#services/nodes.ts'
import type { NodeWatch } from '#services/nodes.ts'
import type { Ports } from './app-ports.ts'
import type { EntryGate } from './entry-gate.ts'
import type { Round } from './upkeep.ts'

export interface Nodes {
  readonly watch: NodeWatch
  readonly rounds: readonly Round[]
  /** The doors are opened after the app is made: until then there are no connections. */
  setConnections(count: () => number): void
}

export function createNodes(ports: Ports, { draining, slots }: Pick<EntryGate, 'draining' | 'slots'>): Nodes {
  let connections = () => 0
  const load = () => ({ turns: slots.running, connections: connections() })
  const watch = createNodeWatch({ ...ports, load, draining })
  return {
    watch,
    rounds: [{ name: 'nodes', everyMs: ANNOUNCE_EVERY_MS, work: () => watch.announce() }],
    setConnections: (count) => void (connections = count),
  }
}
