// Assembles this node's place among the nodes of the cluster: it announces itself at intervals, with its load.
import type { Rejections } from '#domain/model/rejections.ts'
import type { ActivityMeter } from '#domain/nodes/activity.ts'
import { ClusterActivity } from '#domain/nodes/cluster-activity.ts'
import { ANNOUNCE_EVERY_MS, createNodeWatch } from '#services/nodes.ts'
import type { NodeWatch } from '#services/nodes.ts'
import type { Ports } from './app-ports.ts'
import type { EntryGate } from './entry-gate.ts'
import type { Round } from './upkeep.ts'

export interface Nodes {
  readonly watch: NodeWatch
  readonly activity: ClusterActivity
  readonly rounds: readonly Round[]
  /** The doors are opened after the app is made: until then there are no connections. */
  setConnections(count: () => number): void
}

export interface NodesParts extends Pick<EntryGate, 'draining' | 'slots'> {
  readonly queue: { sizes(): ReadonlyMap<string, number> }
  /** Counts what this node does. */
  readonly meter: ActivityMeter
  readonly rejections: Pick<Rejections, 'all'>
}

export function createNodes(ports: Ports, { draining, meter, queue, rejections, slots }: NodesParts): Nodes {
  let connections = () => 0
  const activity = new ClusterActivity()
  const load = () => ({
    turns: slots.running,
    connections: connections(),
    waiting: [...queue.sizes().values()].reduce((sum, size) => sum + size, 0),
    activity: meter.announced(slots.running),
    rejected: rejections.all(),
  })
  const watch = createNodeWatch({ ...ports, load, draining })
  const announce = async () => {
    await watch.announce()
    activity.see(watch.seen()?.nodes ?? [], ports.clock.now())
  }
  return {
    watch,
    activity,
    rounds: [{ name: 'nodes', everyMs: ANNOUNCE_EVERY_MS, work: announce }],
    setConnections: (count) => void (connections = count),
  }
}
