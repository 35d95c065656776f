// The nodes of the cluster as this node sees them. It announces itself at intervals, and from the same list every node works out
// the same leader: the first to have joined of those that do not drain. The leader does what one node should do for all, and is
// the one that reports nodes that join, leave and are lost. Leading lasts only as long as the lease of the last announcement, so
// a node that was paused or cut off no longer leads when it wakes up, before it has asked anyone.
import { KnownNodes } from '#domain/nodes/known-nodes.ts'
import type { NodeChanges } from '#domain/nodes/known-nodes.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { NODE_LEASE_MS } from '#ports/node-registry/port.ts'
import type { NodeFacts, NodeRegistry, NodeState, RegisteredNode } from '#ports/node-registry/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface NodeWatchParts {
  readonly registry: NodeRegistry
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Telemetry
  readonly products: Pick<ProductStore, 'edition'>
  /** How much this node does now. */
  readonly load: () => Pick<NodeState, 'turns' | 'connections' | 'waiting' | 'activity' | 'rejected'>
  /** Aborted once this node drains. */
  readonly draining: AbortSignal
}

/** What an announcement returned, and when it was made by this node's clock. */
interface SeenNodes {
  readonly at: number
  readonly nodes: readonly RegisteredNode[]
}

interface NodeView extends RegisteredNode {
  readonly isLeader: boolean
  /** Whether it is the node that answers. */
  readonly isThis: boolean
}

export interface NodeWatch {
  /** Announces this node and reads who is there. Throws StoreUnavailable. */
  announce(): Promise<void>
  /** Whether this node leads, as of now. */
  isLeader(): boolean
  /** The same; a node that has never announced itself does so first. */
  leads(): Promise<boolean>
  /** How many nodes take questions; one, this node, while the others are not known. */
  serving(): number
  /** Whether the registry had another node when this one last read it, however long ago. */
  hasOthers(): boolean
  /** Undefined before the first announcement. */
  seen(): SeenNodes | undefined
  /** The nodes now, or as they were last seen while the registry is unavailable. */
  list(): Promise<{ readonly at: number; readonly nodes: readonly NodeView[] }>
  /** Says that this node drains, if it is registered. Never rejects. */
  drain(): Promise<void>
  /** Leaves the registry: it is the last call. Never rejects. */
  leave(): Promise<void>
}

/** Three times in a lease. */
export const ANNOUNCE_EVERY_MS = NODE_LEASE_MS / 3

export function createNodeWatch(parts: NodeWatchParts): NodeWatch {
  return new Watch(parts)
}

class Watch implements NodeWatch {
  readonly #parts: NodeWatchParts
  readonly #known = new KnownNodes<RegisteredNode>(NODE_LEASE_MS)
  #seen: SeenNodes | undefined
  #isLeading = false
  #isFull = false
  #hasLeft = false

  constructor(parts: NodeWatchParts) {
    this.#parts = parts
  }

  async announce(): Promise<void> {
    const { clock, draining, load, products, registry } = this.#parts
    if (this.#hasLeft) return
    // Announcing is more important than the edition, whose store may be unavailable.
    const edition = await products.edition().catch(() => undefined)
    const at = clock.now()
    try {
      const state = { ...load(), isDraining: draining.aborted, edition: edition?.digest ?? null }
      this.#see({ at, nodes: await registry.announce(state) })
    } finally {
      this.#reportLeading()
    }
  }

  isLeader(): boolean {
    const { draining, registry } = this.#parts
    if (draining.aborted || this.#hasLeft) return false
    return leaderOf(this.#current())?.id === registry.self.id
  }

  async leads(): Promise<boolean> {
    if (this.#seen === undefined) await orUnavailable(() => this.announce())
    return this.isLeader()
  }

  serving(): number {
    return Math.max(1, this.#current().filter(({ isDraining }) => !isDraining).length)
  }

  hasOthers(): boolean {
    return this.#seen?.nodes.some(({ id }) => id !== this.#parts.registry.self.id) ?? false
  }

  seen(): SeenNodes | undefined {
    return this.#seen
  }

  async list() {
    const { clock, registry } = this.#parts
    const announced = await orUnavailable(() => this.announce())
    const { at, nodes } = this.#seen ?? { at: clock.now(), nodes: [] }
    const leader = announced instanceof StoreUnavailable ? undefined : leaderOf(nodes)
    return {
      at,
      nodes: nodes.map((node) => ({ ...node, isLeader: node === leader, isThis: node.id === registry.self.id })),
    }
  }

  async drain(): Promise<void> {
    // Announced at once, because the next regular announcement is seconds later.
    if (this.#seen !== undefined) await orUnavailable(() => this.announce())
  }

  async leave(): Promise<void> {
    this.#hasLeft = true
    this.#reportLeading()
    // Without the store, the lease lapses.
    if (this.#seen !== undefined) await orUnavailable(() => this.#parts.registry.leave())
  }

  /** The nodes while the lease of the last announcement lasts, and none after it. */
  #current(): readonly RegisteredNode[] {
    const { at, nodes } = this.#seen ?? { at: -Infinity, nodes: [] }
    return this.#parts.clock.now() - at < NODE_LEASE_MS ? nodes : []
  }

  #see(seen: SeenNodes): void {
    // Two announcements may be answered in another order.
    if (this.#seen !== undefined && seen.at < this.#seen.at) return
    const before = this.#own()
    this.#seen = seen
    this.#reportOwn(before)
    const changes = this.#known.see(seen.nodes, this.#parts.clock.now())
    if (this.isLeader()) this.#reportOthers(changes)
  }

  #own(): RegisteredNode | undefined {
    return this.#seen?.nodes.find(({ id }) => id === this.#parts.registry.self.id)
  }

  #reportOwn(before: RegisteredNode | undefined): void {
    const { registry, telemetry } = this.#parts
    const own = this.#own()
    const nodes = this.#seen?.nodes.length ?? 0
    if (own === undefined && !this.#isFull) telemetry.log('warn', 'node.registry-full', { nodes })
    this.#isFull = own === undefined
    if (own === undefined || own.joinedAt === before?.joinedAt) return
    telemetry.log('info', 'node.registered', { ...named(registry.self), nodes, hadLapsed: before !== undefined })
  }

  #reportOthers({ joined, left, lost }: NodeChanges<RegisteredNode>): void {
    const { registry, telemetry } = this.#parts
    const nodes = this.#seen?.nodes.length ?? 0
    for (const node of joined)
      if (node.id !== registry.self.id) telemetry.log('info', 'node.joined', { ...named(node), nodes })
    for (const node of left) telemetry.log('info', 'node.drained', { ...named(node), nodes })
    for (const node of lost) {
      telemetry.count('node_lost_total')
      telemetry.log('warn', 'node.lost', { ...named(node), nodes })
    }
  }

  #reportLeading(): void {
    const { draining, registry, telemetry } = this.#parts
    const isLeader = this.isLeader()
    if (isLeader === this.#isLeading) return
    this.#isLeading = isLeader
    const { id: nodeId } = registry.self
    if (isLeader) return telemetry.log('info', 'node.leader-began', { nodeId, nodes: this.#seen?.nodes.length ?? 0 })
    const reason = draining.aborted || this.#hasLeft ? 'draining' : 'lapsed'
    telemetry.log(reason === 'lapsed' ? 'warn' : 'info', 'node.leader-ended', { nodeId, reason })
  }
}

function named({ host, id, version }: NodeFacts) {
  return { nodeId: id, host, version }
}

function leaderOf(nodes: readonly RegisteredNode[]): RegisteredNode | undefined {
  return nodes.find(({ isDraining }) => !isDraining)
}
