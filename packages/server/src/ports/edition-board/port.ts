// Where the nodes of a cluster say which edition of the catalogue they have, so that each can report that another one differs.

export interface EditionBoard {
  /**
   * Says that this node has the edition, and returns those of the other nodes, each node's one. What a node said counts for
   * `ANNOUNCED_MS`, so that a node that was stopped is soon left out.
   */
  announce(edition: string): Promise<readonly string[]>
}

export const ANNOUNCED_MS = 30_000
