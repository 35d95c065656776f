// The search engine on OpenSearch: candidates by a hybrid query over the alias of the current edition.
import { asksForNothing } from '#ports/search-engine/asks-for-nothing.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { Candidate, SearchEngine } from '#ports/search-engine/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OpenSearchClient } from '../client/client.ts'
import { indexer } from './index-edition.ts'
import { candidateRequest, TEXT_CLAUSE } from './query.ts'
import type { EngineNames } from './template.ts'

export interface OpenSearchEngineOptions {
  readonly client: OpenSearchClient
  readonly names: EngineNames
  /** The deadline of one search. */
  readonly callMs: number
  readonly clock: Pick<Clock, 'after' | 'now'>
}

interface Hit {
  readonly _index?: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly matched_queries?: readonly string[] | Readonly<Record<string, number>>
}

export function openSearchEngine({ callMs, client, clock, names }: OpenSearchEngineOptions): SearchEngine {
  return {
    name: 'opensearch',
    async candidates(query, signal) {
      if (asksForNothing(query)) return { edition: undefined, candidates: [] }
      const { body, isHybrid } = candidateRequest(query)
      const found = await client.call({ ms: callMs, signal }, (to, options) =>
        to.search(
          {
            index: names.alias,
            body,
            include_named_queries_score: true,
            ...(isHybrid ? { search_pipeline: names.pipeline } : {}),
          },
          options,
        ),
      )
      if (found.timed_out || found._shards.failed > 0)
        throw new EngineFailure('overload', 'OpenSearch searched a part of the index only')
      const hits = found.hits.hits as readonly Hit[]
      return { edition: editionOf(hits[0]), candidates: unique(hits.flatMap(candidateOf)) }
    },
    index: indexer({ client, names, clock }),
  }

  function editionOf(hit: Hit | undefined): string | undefined {
    if (hit?._index === undefined) return undefined
    return names.editionOf(hit._index) ?? hit._index
  }
}

function candidateOf({ fields, matched_queries: matched }: Hit): readonly Candidate[] {
  const [id] = (fields?.['id'] ?? []) as readonly unknown[]
  if (typeof id !== 'string') return []
  return [{ id, text: isScores(matched) ? (matched[TEXT_CLAUSE] ?? 0) : 0 }]
}

const isScores = (matched: Hit['matched_queries']): matched is Readonly<Record<string, number>> =>
  typeof matched === 'object' && !Array.isArray(matched)

/** Serverless may have a document twice. */
function unique(candidates: readonly Candidate[]): readonly Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const candidate of candidates) if (!byId.has(candidate.id)) byId.set(candidate.id, candidate)
  return [...byId.values()]
}
