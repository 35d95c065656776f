// The nodes of a cluster as one node has seen them, and what has changed since it last saw them. A node that is missing is lost only
// after it has been missing for a whole lease: after an outage of the registry, or when it was emptied, the others announce
// themselves again within that time. Pure.

export interface KnownNode {
  readonly id: string
  readonly isDraining: boolean
}

export interface NodeChanges<Node> {
  readonly joined: readonly Node[]
  /** They were draining. */
  readonly left: readonly Node[]
  readonly lost: readonly Node[]
}

interface Entry<Node> {
  readonly node: Node
  readonly missingSince?: number
}

export class KnownNodes<Node extends KnownNode> {
  readonly #leaseMs: number
  readonly #entries = new Map<string, Entry<Node>>()
  #seenAt: number | undefined

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  /** How many nodes take questions, including those that have been missing for a moment. */
  get serving(): number {
    return [...this.#entries.values()].filter(({ node }) => !node.isDraining).length
  }

  /** The nodes that are seen first are not reported as joined. */
  see(nodes: readonly Node[], now: number): NodeChanges<Node> {
    const isFirst = this.#seenAt === undefined
    const hadGap = this.#seenAt !== undefined && now - this.#seenAt >= this.#leaseMs
    const joined = nodes.filter(({ id }) => !this.#entries.has(id))
    for (const node of nodes) this.#entries.set(node.id, { node })
    const here = new Set(nodes.map(({ id }) => id))
    const missing = [...this.#entries.values()].filter(({ node }) => !here.has(node.id))
    const left = missing.filter(({ node }) => node.isDraining).map(({ node }) => node)
    const lost: Node[] = []
    for (const { node, missingSince } of missing.filter((entry) => !entry.node.isDraining)) {
      const since = hadGap ? now : (missingSince ?? now)
      if (now - since >= this.#leaseMs) lost.push(node)
      else this.#entries.set(node.id, { node, missingSince: since })
    }
    for (const { id } of [...left, ...lost]) this.#entries.delete(id)
    this.#seenAt = now
    return { joined: isFirst ? [] : joined, left, lost }
  }
}
