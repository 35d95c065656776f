// The search engine on OpenSearch: candidates by a hybrid query over the alias of the current edition.
import { asksForNothing } from '#ports/search-engine/asks-for-nothing.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { Candidate, CandidateQuery, SearchEngine } from '#ports/search-engine/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
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
  /** Default: a search is no span. */
  readonly telemetry?: Pick<Telemetry, 'currentSpan'>
}

interface Hit {
  readonly _index?: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly matched_queries?: readonly string[] | Readonly<Record<string, number>>
}

export function openSearchEngine({ callMs, client, clock, names, telemetry }: OpenSearchEngineOptions): SearchEngine {
  return {
    name: 'opensearch',
    async candidates(query, signal) {
      if (asksForNothing(query)) return { edition: undefined, candidates: [] }
      const span = telemetry?.currentSpan()?.storeCall({
        dbSystem: 'opensearch',
        dbOperation: 'search',
        dbCollection: names.alias,
        serverAddress: client.address,
      })
      try {
        const hits = await search(query, signal)
        span?.end()
        return { edition: editionOf(hits[0]), candidates: unique(hits.flatMap(candidateOf)) }
      } catch (error) {
        span?.end('failed', failureFieldsOf(error))
        throw error
      }
    },
    index: indexer({ client, names, clock }),
  }

  async function search(query: CandidateQuery, signal: AbortSignal): Promise<readonly Hit[]> {
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
    return found.hits.hits as readonly Hit[]
  }

  function editionOf(hit: Hit | undefined): string | undefined {
    if (hit?._index === undefined) return undefined
    return names.editionOf(hit._index) ?? hit._index
  }
}

/** An error that is not an `EngineFailure` is a cancellation by the caller. */
function failureFieldsOf(error: unknown): SpanFields {
  if (!(error instanceof EngineFailure)) return { errorClass: 'cancelled' }
  const { kind, status } = error
  return {
    errorClass: kind === 'late' ? 'timeout' : kind,
    ...(status === undefined ? {} : { dbStatus: String(status) }),
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
