// Questions that need no model: what the shop's own data says, asked in so many words that hardly anything else can be meant.
// In doubt it is no plain question: a model costs little, and a wrong answer costs trust.
import type { Grounding } from '../grounding.ts'
import type { AskedFact } from '../understanding/reading.ts'
import { readinessOf, SURE_MIN } from './readiness.ts'

export const PLAIN_QUESTIONS = ['faq', 'price', 'stock', 'order'] as const
export type PlainQuestion = (typeof PLAIN_QUESTIONS)[number]

const PLAIN_FACTS: Readonly<Partial<Record<AskedFact, PlainQuestion>>> = {
  price: 'price',
  total: 'price',
  stock: 'stock',
}

/** Everything that the message asks, if the responder is sure to answer it; empty where a model is needed. */
export function plainQuestionsIn(grounding: Grounding): readonly PlainQuestion[] {
  const { intent, reading, relaxed } = grounding
  const isMixed = intent.also !== undefined || intent.isCorrected === true || reading.isComplex
  if (isMixed || reading.isDistressed === true || reading.grievances.length > 0 || relaxed.length > 0) return []
  switch (intent.kind) {
    case 'faq':
      return intent.isContinued !== true && isSurePolicy(grounding, intent.id) ? ['faq'] : []
    case 'order':
      return readinessOf(grounding) === 'sure' ? ['order'] : []
    case 'sum':
      return isSureOfSeries(grounding, intent.ids) ? plainFacts(['total', ...(intent.facts ?? [])]) : []
    case 'inform':
      return isSureOfSeries(grounding, intent.ids) ? plainFacts(intent.facts) : []
    default:
      return []
  }
}

function isSurePolicy({ faq, reading }: Grounding, id: string): boolean {
  const asked = reading.faq
  const isAsked = asked?.id === id && asked.isSure && asked.isAsked && reading.sureness >= SURE_MIN
  return isAsked && faq.some((entry) => entry.id === id)
}

/** Every series is named, and nothing else is wished for: a description or a condition may mean others. */
function isSureOfSeries(grounding: Grounding, ids: readonly string[]): boolean {
  const { avoid, limits, series, want } = grounding.reading
  const named = series.filter(({ guessed, role }) => role === 'title' && guessed !== true)
  const isOnlyNamed = named.length === series.length && ids.every((id) => named.some((one) => one.id === id))
  const hasWish = want.length + avoid.length + Object.keys(limits).length > 0
  return isOnlyNamed && !hasWish && named.length === ids.length && readinessOf(grounding) === 'sure'
}

/** Each kind once; nothing when one of the facts needs a model. */
function plainFacts(facts: readonly AskedFact[]): readonly PlainQuestion[] {
  const kinds = facts.map((fact) => PLAIN_FACTS[fact])
  return kinds.every((kind) => kind !== undefined) ? [...new Set(kinds)] : []
}
