// Answers one search request: its top-level keys, a hybrid query with the pipeline that normalises and combines its scores, sorting,
// and the shape of the hits.
import { evaluate } from './query-rules.ts'
import type { QueryContext, Scores } from './query-rules.ts'
import { asObject, illegal, only, parsing } from './refusal.ts'
import type { Json } from './refusal.ts'
import type { StoredIndex } from './stored-index.ts'

export interface SearchedIndex {
  readonly name: string
  readonly index: StoredIndex
  readonly plugins: readonly string[]
  readonly pipeline: Json | undefined
  readonly withNamedScores: boolean
}

const KEYS = [
  'query',
  'size',
  'from',
  '_source',
  'docvalue_fields',
  'fields',
  'sort',
  'track_total_hits',
  'timeout',
  'min_score',
]
const SIZE_MAX = 10_000
const QUERIES_MAX = 5
/** What OpenSearch gives to the last of the normalised scores. */
const SCORE_MIN = 0.001

export function answerSearch(body: Json, searched: SearchedIndex) {
  only(body, KEYS, (key) => parsing(`Unknown key for a START_OBJECT in [${key}].`))
  const { docvalue_fields: wanted = [], from = 0, query = { match_all: {} }, size = 10, sort } = body
  if (!Number.isInteger(size) || Number(size) < 0 || Number(size) > SIZE_MAX)
    throw illegal(`Result window is too large, from + size must be less than or equal to: [${SIZE_MAX}]`)
  const { index, name } = searched
  const context: QueryContext = { index, named: new Map(), plugins: searched.plugins }
  const scores = scoresOf(asObject(query, 'query'), context, { ...searched, size: Number(size) })
  const order = sort === undefined ? undefined : sorter(sort, index)
  const found = [...scores].sort(([a, one], [b, other]) => order?.(a, b) ?? (other - one || a - b))
  const hits = found.slice(Number(from), Number(from) + Number(size)).map(([document, score]) => {
    const { id, source } = index.documents[document]!
    const names = [...context.named].filter(([, of]) => of.has(document))
    return {
      _index: name,
      _id: id,
      _score: order === undefined ? score : null,
      ...(body['_source'] === false ? {} : { _source: source }),
      ...fieldsOf(wanted, source, index),
      ...(names.length === 0
        ? {}
        : {
            matched_queries: searched.withNamedScores
              ? Object.fromEntries(names.map(([label, of]) => [label, of.get(document)!]))
              : names.map(([label]) => label),
          }),
    }
  })
  return {
    took: 1,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: { total: { value: found.length, relation: 'eq' }, max_score: hits[0]?._score ?? null, hits },
  }
}

function scoresOf(query: Json, context: QueryContext, searched: SearchedIndex & { readonly size: number }): Scores {
  if (!Object.hasOwn(query, 'hybrid')) return evaluate(query, context)
  if (!context.plugins.includes('opensearch-neural-search')) throw parsing('unknown query [hybrid]')
  const hybrid = asObject(query['hybrid'], '[hybrid]')
  only(hybrid, ['queries', 'filter', 'pagination_depth', 'boost', '_name'], (key) =>
    parsing(`[hybrid] query does not support [${key}]`),
  )
  const { queries } = hybrid
  if (!Array.isArray(queries) || queries.length === 0)
    throw parsing('requires [queries] field with at least one clause')
  if (queries.length > QUERIES_MAX) throw parsing(`Number of sub-queries exceeds maximum supported by [hybrid] query`)
  if (searched.pipeline === undefined)
    throw illegal('a hybrid query without a search pipeline has no comparable scores')
  return combined(queries.map((one) => normalised(evaluate(one, context), searched.size)))
}

function normalised(scores: Scores, size: number): Scores {
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, size)
  const most = best[0]?.[1] ?? 0
  const least = best.at(-1)?.[1] ?? 0
  const scaled = (score: number) => (most === least ? 1 : Math.max(SCORE_MIN, (score - least) / (most - least)))
  return new Map(best.map(([document, score]) => [document, scaled(score)]))
}

function combined(parts: readonly Scores[]): Scores {
  const sums: Scores = new Map()
  for (const part of parts)
    for (const [document, score] of part) sums.set(document, (sums.get(document) ?? 0) + score / parts.length)
  return sums
}

function fieldsOf(wanted: unknown, source: Json, index: StoredIndex) {
  const names = wanted as readonly string[]
  if (names.length === 0) return {}
  for (const name of names)
    if (!['keyword', 'integer'].includes(index.field(name)?.type ?? '')) throw illegal(`no doc values in [${name}]`)
  return { fields: Object.fromEntries(names.map((name) => [name, [source[name]].flat()])) }
}

function sorter(sort: unknown, index: StoredIndex): (a: number, b: number) => number {
  const keys = (sort as readonly Json[]).map((one) => {
    const [field, how] = Object.entries(asObject(one, 'sort'))[0] ?? []
    if (field === undefined || !['keyword', 'integer'].includes(index.field(field)?.type ?? ''))
      throw illegal(`No mapping found for [${field}] in order to sort on`)
    return { field, sign: asObject(how, field)['order'] === 'desc' ? -1 : 1 }
  })
  return (a, b) => {
    for (const { field, sign } of keys) {
      const [one, other] = [a, b].map((document) => index.documents[document]!.source[field] as string | number)
      if (one !== other) return one! < other! ? -sign : sign
    }
    return a - b
  }
}
