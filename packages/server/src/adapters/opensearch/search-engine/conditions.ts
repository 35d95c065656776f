// The conditions of a wish as clauses of OpenSearch: what `failedFilter` and `avoidedBy` check, apart from price and stock, which
// change within an edition, and unwanted words, which the ranking compares.
import type { Types } from '@opensearch-project/opensearch'
import { CHILD_AGE_MAX, keysRequired, NOT_FOR_CHILDREN } from '@mangaassist/bookseller/retrieval/filters'
import type { PreparedQuestion } from '@mangaassist/bookseller/retrieval/question'
import type { Filters } from '@mangaassist/bookseller/retrieval/wish'

/** By the types of the client: a clause or a parameter that OpenSearch does not have fails to compile. */
export type Clause = Types.Common_QueryDsl.QueryContainer

const AVOIDED_KINDS = ['genre', 'mood', 'content', 'for'] as const

const haveKey = (keys: readonly string[]): Clause => ({ terms: { keys: [...keys] } })
const between = (
  field: string,
  bounds: { readonly gte?: number | undefined; readonly lte?: number | undefined },
): Clause[] => {
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined)
  return given.length === 0 ? [] : [{ range: { [field]: Object.fromEntries(given) } }]
}

/** Undefined when there is no condition. */
export function conditionsOf({ exclude, like, wish }: PreparedQuestion): Clause | undefined {
  const { avoid, avoidAuthors = [], filters } = wish
  const required: Clause[] = [...keysRequired(filters).map(haveKey), ...ranges(filters)]
  const unwanted = [
    ...avoid.flatMap((key) => AVOIDED_KINDS.map((kind) => `${kind}:${key}`)),
    ...avoidAuthors.map((author) => `by:${author}`),
    ...(filters.notMagazines ?? []).map((name) => `magazine:${name}`),
    ...(filters.notPublishers ?? []).map((name) => `publisher:${name}`),
    ...(filters.notDemographics ?? []).map((name) => `for:${name}`),
    ...(filters.forChildren === true ? NOT_FOR_CHILDREN : []),
  ]
  const left = [...new Set([...exclude, ...like])]
  const refused: Clause[] = [
    ...(unwanted.length === 0 ? [] : [haveKey(unwanted)]),
    ...(left.length === 0 ? [] : [{ terms: { id: left } }]),
    // A child may read a series whose age is unknown.
    ...(filters.forChildren === true ? [{ range: { age: { gt: CHILD_AGE_MAX } } }] : []),
  ]
  if (required.length + refused.length === 0) return undefined
  return {
    bool: {
      ...(required.length === 0 ? {} : { filter: required }),
      ...(refused.length === 0 ? {} : { must_not: refused }),
    },
  }
}

function ranges({ readerAge, volumesMax, volumesMin, yearFrom, yearTo }: Filters): readonly Clause[] {
  return [
    ...between('volumes', { gte: volumesMin, lte: volumesMax }),
    ...between('first_year', { gte: yearFrom, lte: yearTo }),
    ...between('age', { lte: readerAge }),
  ]
}
