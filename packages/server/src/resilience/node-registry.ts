// A registry that remembers how many nodes took questions when its store last answered: while the shared stores are unavailable,
// a standalone node grants its share of the rates and of a user's day by that number.
import { KnownNodes } from '#domain/nodes/known-nodes.ts'
import type { Clock } from '#ports/clock/port.ts'
import { NODE_LEASE_MS } from '#ports/node-registry/port.ts'
import type { NodeRegistry, RegisteredNode } from '#ports/node-registry/port.ts'

export interface CountingRegistryOptions {
  readonly registry: NodeRegistry
  readonly clock: Pick<Clock, 'now'>
  /** The least that counts, whatever was seen, and what counts at first: `state.alone.nodes`. */
  readonly nodesMin?: number | undefined
}

export interface CountingRegistry extends NodeRegistry {
  /** How many nodes share what a standalone node grants from. */
  nodes(): number
}

/** Counts until a node has watched for a lease: nodes that start together do not see each other at once. */
const NODES_UNSEEN = 4

export function countingRegistry({ clock, nodesMin, registry }: CountingRegistryOptions): CountingRegistry {
  const known = new KnownNodes<RegisteredNode>(NODE_LEASE_MS)
  let watchedMs = 0
  let firstAt: number | undefined
  return {
    self: registry.self,
    async announce(state) {
      const nodes = await registry.announce(state)
      const now = clock.now()
      firstAt ??= now
      watchedMs = now - firstAt
      known.see(nodes, now)
      return nodes
    },
    leave: () => registry.leave(),
    nodes: () => Math.max(nodesMin ?? (watchedMs < NODE_LEASE_MS ? NODES_UNSEEN : 1), known.serving),
  }
}
