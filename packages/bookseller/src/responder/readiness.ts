// How well the built-in responder could answer a question from what was retrieved. `sure` is right for 19 of 20
// evaluation questions (a test checks that): small talk, and questions that name their series. It decides whether a
// slow model is waited for, and which fallback answers when the ladder fails.
import type { Grounding } from '../grounding.ts'
import type { AskKind } from '../understanding/ask.ts'

export type Readiness = 'sure' | 'likely' | 'none'

const SMALL_TALK: ReadonlySet<AskKind> = new Set(['greeting', 'thanks', 'identity'])
const ABOUT_SERIES: ReadonlySet<AskKind> = new Set(['like', 'compare', 'price', 'about'])
const ABOUT_WISHES: ReadonlySet<AskKind> = new Set(['recommend', 'refine'])

export function readinessOf({ ask, products }: Pick<Grounding, 'ask' | 'products'>): Readiness {
  if (SMALL_TALK.has(ask.kind)) return 'sure'
  if (products.length === 0) return 'none'
  if (ABOUT_SERIES.has(ask.kind)) return ask.mentioned.length > 0 && !ask.followsUp ? 'sure' : 'likely'
  return ABOUT_WISHES.has(ask.kind) ? 'likely' : 'none'
}
