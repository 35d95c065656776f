// How well the built-in responder could answer a question from what was retrieved. `sure`: small talk, service, and
// questions that name their series, clearly understood. It decides whether a slow model is waited for, and which fallback
// answers when the ladder fails.
import type { FaqEntry } from '../catalogue/catalogue.ts'
import type { FaqIndex } from '../catalogue/faq-match.ts'
import type { Grounding } from '../grounding.ts'
import type { AskedFact } from '../understanding/reading.ts'
import { isNarrowed } from './conditions.ts'

export type Readiness = 'sure' | 'likely' | 'none'

/** 19 in 20 acts with at least this probability are right, by writers that the weights were not trained on. */
export const SURE_MIN = 0.83

/** Most acts below this are wrong: a shopper who asked something else would get series. */
const GUESS_MAX = 0.35

export function readinessOf(
  grounding: Pick<Grounding, 'intent' | 'reading' | 'products' | 'state' | 'isUnsure'>,
): Readiness {
  const { intent, isUnsure, products, reading } = grounding
  const isClear = reading.sureness >= SURE_MIN
  switch (intent.kind) {
    case 'talk':
      return intent.topic === 'unclear' || !isClear ? 'none' : 'sure'
    case 'order':
    case 'complaint':
    case 'person':
      return isClear ? 'sure' : 'none'
    case 'introduce':
    case 'inform':
    case 'sum':
    case 'fit':
    case 'compare': {
      if (products.length === 0) return 'none'
      const isNamed = reading.series.some(({ id, guessed }) => id !== undefined && guessed !== true)
      return isClear && isNamed ? 'sure' : 'likely'
    }
    case 'suggest': {
      // Without words or conditions a guess suggests anything.
      const isAimless = !isClear && intent.quest.text === '' && !isNarrowed(intent.quest.conditions)
      if (reading.sureness < GUESS_MAX) return 'none'
      return products.length === 0 || isUnsure || isAimless ? 'none' : 'likely'
    }
    case 'identify':
      return products.length === 0 || isUnsure || !isClear ? 'none' : 'likely'
    case 'works':
    case 'explain':
    case 'choose':
    case 'buy':
      return products.length === 0 || isUnsure ? 'none' : 'likely'
    case 'faq':
    case 'ask':
    case 'unstocked':
      return 'none'
  }
}

interface AnsweredEntry {
  readonly entry: FaqEntry
  /** The question can hardly mean anything else. */
  readonly sure: boolean
}

/**
 * The entry of the FAQ that answers a message: the one that was read from it with certainty (right 19 times in 20), else the one that its words match.
 * Undefined: none does.
 */
export function faqFor(
  { faq, intent, reading }: Pick<Grounding, 'faq' | 'intent' | 'reading'>,
  matched: ReturnType<FaqIndex['match']>,
): AnsweredEntry | undefined {
  const read = intent.kind === 'faq' ? faq.find(({ id }) => id === intent.id) : undefined
  if (read !== undefined && reading.sureness >= SURE_MIN) return { entry: read, sure: true }
  return matched
}

/** What the shop's own data answers, however the question is put. */
const OFFERS: ReadonlySet<AskedFact> = new Set(['price', 'total', 'stock'])

/** Whether no model is needed: the responder is sure, or the price or stock of a named series is asked for. */
export function needsNoModel(grounding: Parameters<typeof readinessOf>[0]): boolean {
  const { intent, reading } = grounding
  const readiness = readinessOf(grounding)
  if (readiness !== 'likely' || (intent.kind !== 'inform' && intent.kind !== 'sum')) return readiness === 'sure'
  const isNamed = reading.series.every(({ guessed, id }) => id !== undefined && guessed !== true)
  const facts = intent.facts ?? []
  return (
    isNamed &&
    reading.series.length > 0 &&
    facts.every((fact) => OFFERS.has(fact)) &&
    (intent.kind === 'sum' || facts.length > 0)
  )
}
