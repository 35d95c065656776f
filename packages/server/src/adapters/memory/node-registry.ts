// The registry in memory: of one machine, whose only node is this process, of tests and of simulations.
import type { Clock } from '#ports/clock/port.ts'
import { NODE_LEASE_MS, NODES_MAX } from '#ports/node-registry/port.ts'
import type { NodeFacts, NodeRegistry, NodeState } from '#ports/node-registry/port.ts'
import { boundedNode, inOrder } from '#ports/node-registry/stored-node.ts'

interface Entry {
  readonly node: NodeFacts & NodeState
  readonly joinedAt: number
  readonly announcedAt: number
}

/** The nodes that are registered: shared by the registries of one cluster. */
export type NodeEntries = Map<string, Entry>

export interface MemoryNodeRegistryOptions {
  readonly self: NodeFacts
  readonly clock: Pick<Clock, 'now'>
  readonly entries?: NodeEntries
}

export function memoryNodeRegistry({ clock, self, entries = new Map() }: MemoryNodeRegistryOptions): NodeRegistry {
  return {
    self,
    async announce(state) {
      const now = clock.now()
      for (const [id, { announcedAt }] of entries) if (now - announcedAt >= NODE_LEASE_MS) entries.delete(id)
      const before = entries.get(self.id)
      const last = [...entries.values()].reduce((max, { joinedAt }) => Math.max(max, joinedAt), 0)
      const joinedAt = before?.joinedAt ?? Math.max(now, last + 1)
      if (before !== undefined || entries.size < NODES_MAX)
        entries.set(self.id, { node: boundedNode(self, state), joinedAt, announcedAt: now })
      return inOrder(
        [...entries.values()].map(({ node, ...times }) => ({
          ...node,
          joinedAt: times.joinedAt,
          announcedMsAgo: now - times.announcedAt,
        })),
      )
    },
    async leave() {
      entries.delete(self.id)
    },
  }
}
