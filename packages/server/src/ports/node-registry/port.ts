// The registry of a cluster's nodes. Each node announces itself under a lease, with its load, and reads in the same call which
// nodes are there. A node is left out once its lease has lapsed or it has left. Time is that of the store. Nothing personal is in it.
import type { Rejected } from '#domain/model/rejections.ts'
import type { ActivityStep } from '#domain/nodes/activity.ts'

/** What does not change while the process lives. */
export interface NodeFacts {
  /** Unique to a process: a restarted one is another node. */
  readonly id: string
  /** The name of its machine, for operators. */
  readonly host: string
  /** The version of the software. */
  readonly version: string
  /** By the node's own clock. */
  readonly startedAt: number
}

export interface NodeState {
  readonly turns: number
  readonly connections: number
  readonly isDraining: boolean
  /** The edition of its catalogue; null where there is none. */
  readonly edition: string | null
  /** How many of its turns wait in the queues of lanes; absent for nodes of earlier versions, like the next. */
  readonly waiting?: number
  /** The newest ended steps of what it did. */
  readonly activity?: readonly ActivityStep[]
  /** The models whose vendors reject its calls. */
  readonly rejected?: readonly Rejected[]
}

export interface RegisteredNode extends NodeFacts, NodeState {
  /**
   * When the node registered; later than the time of every node that was registered then. A lapse of its lease starts
   * it again.
   */
  readonly joinedAt: number
  readonly announcedMsAgo: number
}

export interface NodeRegistry {
  readonly self: NodeFacts
  /**
   * Registers this node, or renews its lease, and returns all nodes with a lease, in the order in which they joined. This node is
   * missing only when the registry is full. A node whose lease has lapsed joins again, as the last.
   */
  announce(state: NodeState): Promise<readonly RegisteredNode[]>
  /** Removes this node at once; a repeat changes nothing. */
  leave(): Promise<void>
}

export const NODE_LEASE_MS = 15_000
/** Every announcement returns all nodes: the traffic grows with the square of their number. */
export const NODES_MAX = 256
/** Longer names, versions and editions are cut. */
export const NODE_TEXT_MAX = 64
