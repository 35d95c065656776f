// What is shown with an answer besides its text and cards: follow-up suggestions and the sources of its facts. The one
// place that takes them from the grounding; delivery sends them, settlement stores them, the cache repeats them.
import { SOURCES_MAX, SUGGESTION_LABEL_MAX, SUGGESTION_MESSAGE_MAX, SUGGESTIONS_MAX } from '@mangaassist/protocol'
import type { AnswerTier, FinishReason, Source, Suggestion } from '@mangaassist/protocol'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { isoTime } from '#lib/time/iso-time.ts'

/** A list is absent where it would be empty. */
export interface ShownWith {
  readonly suggestions?: readonly Suggestion[]
  readonly sources?: readonly Source[]
}

interface Answered {
  readonly grounding: Grounding
  readonly tier: AnswerTier
  readonly finishReason: FinishReason
  /** The products that the answer shows. */
  readonly products: readonly { readonly id: string }[]
  /** When the products and the FAQ were read. */
  readonly readAt: number
}

/** What the grounding offers for an answer that was made from it. */
export function shownWith({ grounding, tier, finishReason, products, readAt }: Answered): ShownWith {
  // A fixed text of the shop was not made from the grounding.
  if (tier === 'message' || tier === 'faq') return {}
  const at = isoTime(readAt)
  const { offersAsOf } = grounding
  const productsAt = typeof offersAsOf === 'number' ? isoTime(offersAsOf) : at
  const sources = [
    ...products.map(({ id }) => ({ kind: 'product' as const, id, at: productsAt })),
    ...grounding.faq.map(({ id }) => ({ kind: 'faq' as const, id, at })),
  ]
  // An answer that broke off did not reach its offer, so that "yes" must not mean it.
  const suggestions = finishReason === 'stop' ? compose(grounding, grounding.language).suggestions : []
  return presented({ suggestions, sources })
}

/** The lists within the limits of the protocol, without empty ones. */
export function presented({ suggestions = [], sources = [] }: ShownWith): ShownWith {
  const fitting = suggestions.filter(isPresentable).slice(0, SUGGESTIONS_MAX)
  return {
    ...(fitting.length === 0 ? {} : { suggestions: fitting }),
    ...(sources.length === 0 ? {} : { sources: sources.slice(0, SOURCES_MAX) }),
  }
}

function isPresentable({ label, message }: Suggestion): boolean {
  const isWithin = (text: string, max: number) => text !== '' && text.length <= max
  return isWithin(label, SUGGESTION_LABEL_MAX) && isWithin(message, SUGGESTION_MESSAGE_MAX)
}
