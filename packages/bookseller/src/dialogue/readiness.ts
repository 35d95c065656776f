// How well the built-in responder could answer a question from what was retrieved. `sure`: small talk, service, and
// questions that name their series, clearly understood. It decides whether a slow model is waited for, and which fallback
// answers when the ladder fails.
import type { Grounding } from '../grounding.ts'
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
