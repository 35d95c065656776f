// The state of the search engine for `/readyz`. It never decides readiness: without it, the node's own index answers.
import type { EngineSearch, EngineStatus } from '#ports/search/engine-search.ts'

type SearchHealth = {
  readonly status: 'ok' | 'degraded'
  readonly engine: string
  /** What chooses the products of a question now. */
  readonly chosenBy: EngineStatus['chosenBy']
  readonly edition: EngineStatus['edition']
  /** Why it is degraded. */
  readonly reason?: string
}

/** Nothing where no search engine is configured. */
export function searchHealth(
  search: Pick<EngineSearch, 'status' | 'engine'> | undefined,
): Readonly<Record<string, SearchHealth>> {
  if (search === undefined) return {}
  const state = search.status()
  return { search: { status: state.chosenBy === 'engine' ? 'ok' : 'degraded', engine: search.engine, ...state } }
}
