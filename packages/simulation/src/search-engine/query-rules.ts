// Evaluates the query language, by rules that are written from its documentation: a clause, a parameter or a type that OpenSearch
// does not accept is refused as it refuses them. A clause gives the documents that it finds, with their scores.
import { asObject, illegal, only, parsing } from './refusal.ts'
import type { Json } from './refusal.ts'
import type { StoredIndex } from './stored-index.ts'

export type Scores = Map<number, number>

export interface QueryContext {
  readonly index: StoredIndex
  /** The scores of the clauses that have a `_name`. */
  readonly named: Map<string, Scores>
  readonly plugins: readonly string[]
}

type Evaluate = (given: unknown, context: QueryContext) => Scores

const CLAUSES: Readonly<Record<string, Evaluate>> = {
  match_all: (given, { index }) => {
    const { boost = 1 } = checked('match_all', given, [])
    return new Map(index.documents.map((_, at) => [at, Number(boost)]))
  },
  match: matchClause,
  multi_match: multiMatch,
  term: (given, context) => {
    const [field, value] = single('term', given)
    const wanted = typeof value === 'object' && value !== null ? (value as Json)['value'] : value
    return having(context, field, [wanted])
  },
  terms: (given, context) => {
    const { boost = 1, _name: _, ...rest } = asObject(given, '[terms]')
    const [field, values] = single('terms', rest)
    if (!Array.isArray(values)) throw parsing(`[terms] query requires an array of terms for [${field}]`)
    return times(having(context, field, values), boost)
  },
  range: rangeClause,
  exists: (given, { index }) => {
    const { field } = checked('exists', given, ['field'])
    return constant(index, (source) => source[String(field)] !== undefined)
  },
  bool: boolClause,
  constant_score: (given, context) => {
    const { boost = 1, filter } = checked('constant_score', given, ['filter'])
    if (filter === undefined) throw parsing('[constant_score] requires a filter element')
    return new Map(Array.from(evaluate(filter, context).keys(), (document) => [document, Number(boost)]))
  },
  knn: knnClause,
  hybrid: () => {
    throw illegal('hybrid query must be a top level query and cannot be wrapped into other queries')
  },
}

export function evaluate(query: unknown, context: QueryContext): Scores {
  const clause = asObject(query, 'query')
  const [name, ...more] = Object.keys(clause)
  if (name === undefined) throw illegal('query malformed, empty clause found')
  if (more.length > 0) throw parsing(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`)
  if (!Object.hasOwn(CLAUSES, name)) throw parsing(`unknown query [${name}]`)
  if (name === 'knn' && !context.plugins.includes('opensearch-knn')) throw parsing('unknown query [knn]')
  const scores = CLAUSES[name]!(clause[name], context)
  const label = nameOf(clause[name])
  if (label !== undefined) context.named.set(label, scores)
  return scores
}

function nameOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const own = (given as Json)['_name']
  if (typeof own === 'string') return own
  const [below] = Object.values(given as Json)
  const inside = typeof below === 'object' && below !== null ? (below as Json)['_name'] : undefined
  return typeof inside === 'string' ? inside : undefined
}

/** The parameters of a clause; every clause has `boost` and `_name`. */
function checked(name: string, given: unknown, allowed: readonly string[]): Json {
  const clause = asObject(given, `[${name}]`)
  only(clause, [...allowed, 'boost', '_name'], (key) => parsing(`[${name}] query does not support [${key}]`))
  const { boost, _name: label } = clause
  if (boost !== undefined && (typeof boost !== 'number' || boost < 0))
    throw parsing(`[${name}] boost must be a number ≥ 0`)
  if (label !== undefined && typeof label !== 'string') throw parsing(`[${name}] _name must be a string`)
  return clause
}

function single(name: string, given: unknown): readonly [field: string, value: unknown] {
  const [entry, ...more] = Object.entries(asObject(given, `[${name}]`))
  if (entry === undefined || more.length > 0) throw parsing(`[${name}] query doesn't support multiple fields`)
  return entry
}

const MATCH = ['query', 'operator', 'minimum_should_match', 'analyzer', 'fuzziness', 'lenient', 'zero_terms_query']

function matchClause(given: unknown, context: QueryContext): Scores {
  const [field, value] = single('match', given)
  const {
    boost = 1,
    operator = 'or',
    query,
  } = typeof value === 'string' ? { query: value } : checked('match', value, MATCH)
  if (typeof query !== 'string') throw parsing('[match] requires query value')
  return times(matched(context, field, { query, operator }), boost)
}

const MULTI_MATCH = [...MATCH, 'fields', 'type', 'tie_breaker']

function multiMatch(given: unknown, context: QueryContext): Scores {
  const { boost = 1, fields, operator = 'or', query } = checked('multi_match', given, MULTI_MATCH)
  if (typeof query !== 'string') throw parsing('No text specified for multi_match query')
  if (!Array.isArray(fields)) throw parsing('[multi_match] fields must be an array')
  const best: Scores = new Map()
  for (const one of fields as readonly string[]) {
    const [field = '', weight = '1'] = one.split('^')
    for (const [document, score] of times(matched(context, field, { query, operator }), Number(weight)))
      best.set(document, Math.max(best.get(document) ?? 0, score))
  }
  return times(best, boost)
}

function matched(
  { index }: QueryContext,
  field: string,
  { operator, query }: { readonly query: string; readonly operator: unknown },
): Scores {
  const how = String(operator).toLowerCase()
  if (how !== 'or' && how !== 'and') throw parsing(`operator needs to be either and or or, but not [${how}]`)
  const { analyzer, texts, type } = index.field(field) ?? {}
  // OpenSearch finds nothing in a field that does not exist; a query of ours never means that.
  if (type === undefined) throw illegal(`no mapping for [${field}]`)
  if (texts === undefined || analyzer === undefined) return having({ index }, field, [query])
  return texts.search(analyzer(query), how)
}

function having({ index }: Pick<QueryContext, 'index'>, field: string, values: readonly unknown[]): Scores {
  if (index.field(field) === undefined) throw illegal(`no mapping for [${field}]`)
  const wanted = new Set(values)
  return constant(index, (source) => {
    const own = source[field]
    return Array.isArray(own) ? own.some((one) => wanted.has(one)) : wanted.has(own)
  })
}

const RANGE = ['gt', 'gte', 'lt', 'lte', 'format', 'relation', 'time_zone']

function rangeClause(given: unknown, { index }: QueryContext): Scores {
  const [field, bounds] = single('range', given)
  const { gt, gte, lt, lte } = checked('range', bounds, RANGE)
  if (index.field(field)?.type !== 'integer') throw illegal(`no number in [${field}]`)
  for (const bound of [gt, gte, lt, lte])
    if (bound !== undefined && typeof bound !== 'number') throw illegal('failed to create query: a bound is no number')
  const fits = (value: number) =>
    (gt === undefined || value > Number(gt)) &&
    (gte === undefined || value >= Number(gte)) &&
    (lt === undefined || value < Number(lt)) &&
    (lte === undefined || value <= Number(lte))
  return constant(index, (source) => typeof source[field] === 'number' && fits(source[field]))
}

function boolClause(given: unknown, context: QueryContext): Scores {
  const parts = ['must', 'should', 'filter', 'must_not'] as const
  const clause = checked('bool', given, [...parts, 'minimum_should_match', 'adjust_pure_negative'])
  const all = (part: (typeof parts)[number]) =>
    [clause[part] ?? []].flat().map((one: unknown) => evaluate(one, context))
  const [must, should, filter, without] = [all('must'), all('should'), all('filter'), all('must_not')]
  const least = minimum(clause['minimum_should_match'], should.length > 0 && must.length + filter.length === 0 ? 1 : 0)
  const scores: Scores = new Map()
  for (const document of context.index.documents.keys()) {
    if (![...must, ...filter].every((found) => found.has(document))) continue
    if (without.some((found) => found.has(document))) continue
    const wanted = should.filter((found) => found.has(document))
    if (wanted.length < least) continue
    scores.set(
      document,
      [...must, ...wanted].reduce((sum, found) => sum + found.get(document)!, 0),
    )
  }
  return times(scores, clause['boost'] ?? 1)
}

function minimum(given: unknown, otherwise: number): number {
  if (given === undefined) return otherwise
  if (!Number.isInteger(Number(given))) throw parsing('[bool] minimum_should_match is no whole number')
  return Number(given)
}

const KNN = ['vector', 'k', 'filter', 'max_distance', 'min_score', 'method_parameters', 'rescore', 'expand_nested_docs']
const K_MAX = 10_000

function knnClause(given: unknown, context: QueryContext): Scores {
  const { index } = context
  const [name, value] = single('knn', given)
  const { boost = 1, filter, k, vector } = checked('knn', value, KNN)
  const field = index.field(name)
  if (field?.type !== 'knn_vector') throw illegal(`Field '${name}' is not knn_vector type.`)
  if (!Array.isArray(vector) || !vector.every((one) => typeof one === 'number'))
    throw parsing('[knn] requires query vector')
  if (vector.length !== field.dimension)
    throw illegal(`Query vector has invalid dimension: ${vector.length}. Dimension should be: ${field.dimension}`)
  if (!Number.isInteger(k) || Number(k) < 1 || Number(k) > K_MAX)
    throw illegal(`[knn] requires k to be in the range (0, ${K_MAX}]`)
  const allowed = filter === undefined ? undefined : evaluate(filter, context)
  const near: [number, number][] = []
  for (const [document, { source }] of index.documents.entries()) {
    if (allowed?.has(document) === false) continue
    const own = source[name] as readonly number[] | undefined
    if (own === undefined) continue
    const distance = own.reduce((sum, one, at) => sum + (one - (vector[at] as number)) ** 2, 0)
    near.push([document, Number(boost) / (1 + distance)])
  }
  return new Map(near.sort(([, a], [, b]) => b - a).slice(0, Number(k)))
}

function constant(index: StoredIndex, fits: (source: Json) => boolean): Scores {
  return new Map([...index.documents.entries()].filter(([, { source }]) => fits(source)).map(([at]) => [at, 1]))
}

function times(scores: Scores, factor: unknown): Scores {
  return factor === 1 ? scores : new Map(Array.from(scores, ([document, score]) => [document, score * Number(factor)]))
}
