// A search whose products a shared search engine chooses, with the node's own index in its place while the engine is slow, unavailable
// or has another edition; as searches and the app use it.
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { Search } from './port.ts'

export interface EngineSearch extends Search {
  /** `opensearch`. */
  readonly engine: string
  /** The circuit of the engine's calls. */
  readonly lane: NodeLane
  /** Makes the current edition the one that the engine searches, if it is not. Never rejects; is due again later after a failure. */
  keepIndexed(): Promise<void>
  /** Probes the engine while its circuit is half-open. */
  heal(): Promise<void>
  status(): EngineStatus
}

export interface EngineStatus {
  /** What chooses the products of a question now. */
  readonly chosenBy: 'engine' | 'own-index'
  /** `unknown` before the first round, `writing` while this node or another writes the edition, `behind` when others have a newer one. */
  readonly edition: 'unknown' | 'current' | 'writing' | 'behind'
  /** Why the node's own index answers, or why the edition is not written. */
  readonly reason?: string
}
