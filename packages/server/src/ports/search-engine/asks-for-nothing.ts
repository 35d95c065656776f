// Whether a question has nothing that a search engine could search for: no word, no direction, no wish. It is answered without the
// engine, so that its answer says nothing about whether the engine works.
import type { CandidateQuery } from './port.ts'

export function asksForNothing({ directions, question }: Pick<CandidateQuery, 'directions' | 'question'>): boolean {
  const { aspects, like, terms, wish } = question
  const hasText = like.length === 0 && terms.length > 0
  const hasWish = Object.keys(wish.filters).length > 0 || aspects.some(({ keys }) => keys.length > 0)
  return directions.length === 0 && !hasText && !hasWish
}
