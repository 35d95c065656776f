// The search request for the candidates of a question: a hybrid query of full text, of the directions that the question points to,
// and of the attributes that it wants. Conditions are part of every clause, so that each finds as many as it may.
import type { API } from '@opensearch-project/opensearch'
import type { PreparedQuestion } from '@mangaassist/bookseller/retrieval/question'
import type { CandidateQuery } from '#ports/search-engine/port.ts'
import { conditionsOf } from './conditions.ts'
import type { Clause } from './conditions.ts'

/** The clause whose score is that of the full text. */
export const TEXT_CLAUSE = 'text'
/** OpenSearch accepts no more in one hybrid query. */
const CLAUSES_MAX = 5
const NEIGHBOURS = 100
const BOOSTS = { names: 2, text: 0.3 } as const
const BYTE_SCALE = 127

export interface CandidateRequest {
  readonly body: API.Search_RequestBody
  /** Whether the pipeline of hybrid queries is needed. */
  readonly isHybrid: boolean
}

/** For a question that asks for something. */
export function candidateRequest(query: CandidateQuery): CandidateRequest {
  const { countMax, question } = query
  const clauses = clausesOf(query)
  const conditions = conditionsOf(question)
  const common = { size: countMax, _source: false, docvalue_fields: ['id'] }
  if (clauses.length > 0)
    return { body: { ...common, query: { hybrid: { queries: clauses.slice(0, CLAUSES_MAX) } } }, isHybrid: true }
  // A wish without words: the best known of those that fit.
  const sort: API.Search_RequestBody['sort'] = [{ fame: { order: 'desc' } }, { id: { order: 'asc' } }]
  return { body: { ...common, query: conditions ?? { match_all: {} }, sort }, isHybrid: false }
}

function clausesOf({ directions, question, withExcluded = false }: CandidateQuery): Clause[] {
  const conditions = conditionsOf(question)
  const within = conditions === undefined ? {} : { filter: [conditions] }
  const text = question.like.length > 0 ? [] : textClauses(question)
  const wanted = question.aspects.filter(({ keys }) => keys.length > 0)
  return [
    ...text.map((clause) => ({ bool: { must: [clause], ...within } })),
    ...(withExcluded && conditions !== undefined ? text : []),
    ...wantedClause(wanted, within),
    ...directions.map((direction) => ({ knn: { direction: { ...neighbours(direction), ...filterOf(conditions) } } })),
  ]
}

const filterOf = (conditions: Clause | undefined) => (conditions === undefined ? {} : { filter: conditions })

const neighbours = (direction: Int8Array) => ({
  vector: Array.from(direction, (value) => value / BYTE_SCALE),
  k: NEIGHBOURS,
})

function wantedClause(wanted: PreparedQuestion['aspects'], within: { readonly filter?: Clause[] }): readonly Clause[] {
  if (wanted.length === 0) return []
  const should = wanted.map(({ keys }) => ({ constant_score: { filter: { terms: { keys: [...keys] } }, boost: 1 } }))
  return [{ bool: { should, minimum_should_match: 1, ...within } }]
}

/** The named clause is scored by our own terms and by the names; the analysed text beside it only finds more. */
function textClauses({ terms, text, wish }: PreparedQuestion): readonly Clause[] {
  if (terms.length === 0) return []
  const own = terms.join(' ')
  // The whole text also contains the words of dislikes; the terms do not.
  const isWanted = wish.avoid.length === 0 && (wish.avoidTexts ?? []).length === 0
  const said = isWanted && text.trim() !== '' ? text : own
  const scored: Clause[] = [
    { match: { terms: { query: own } } },
    ...['names', 'names.readings', 'names.english'].map((field): Clause => ({
      match: { [field]: { query: said, operator: 'and', boost: BOOSTS.names } },
    })),
  ]
  const analysed: Clause = { multi_match: { query: said, fields: ['text', 'text.english'], boost: BOOSTS.text } }
  return [
    {
      bool: {
        should: [{ bool: { should: scored, minimum_should_match: 1, _name: TEXT_CLAUSE } }, analysed],
        minimum_should_match: 1,
      },
    },
  ]
}
