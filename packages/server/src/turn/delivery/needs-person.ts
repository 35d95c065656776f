// Whether an answer should say how a person of the shop is reached: none could be given, or the shopper wants what only a person
// can do. Pure.
import type { AnswerTier } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'

const BY_A_PERSON: ReadonlySet<Grounding['intent']['kind']> = new Set(['person', 'complaint', 'order'])

export function needsPerson(tier: AnswerTier, { kind }: Pick<Grounding['intent'], 'kind'>): boolean {
  return tier === 'message' || BY_A_PERSON.has(kind)
}
