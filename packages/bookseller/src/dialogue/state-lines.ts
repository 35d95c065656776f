// The state of a conversation as lines of JSON for a model: what the shopper stated and must not be lost, most important
// first.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { DialogueState } from './state.ts'

const EACH_MAX = 8

/** `products` are those that the state names, as they are in the catalogue now. */
export function stateLines(
  { conditions, focus, hated, list, orderId, read, agreed }: DialogueState,
  products: readonly Product[],
  language: Language,
): readonly string[] {
  const titled = (ids: readonly string[]) =>
    ids.slice(-EACH_MAX).flatMap((id) => products.find((product) => product.id === id)?.title[language] ?? [])
  const { want, avoid, by, notBy, publishedIn, notPublishedIn, limits, audience, like } = conditions
  const texts = (aspects: typeof want) => aspects.map(({ text }) => text)
  const facts = {
    avoids: [...texts(avoid), ...notBy, ...notPublishedIn],
    conditions: Object.keys(limits).length === 0 ? [] : limits,
    reader: audience ?? [],
    wants: [...texts(want), ...by, ...publishedIn],
    likes: titled(like),
    hasRead: titled(read),
    dislikes: titled(hated),
    talkingAbout: titled(focus),
    shownLast: titled(list),
    orderNumber: orderId ?? [],
    answerIn: agreed ?? [],
  }
  return Object.entries(facts).flatMap(([name, fact]) =>
    Array.isArray(fact) && fact.length === 0 ? [] : [JSON.stringify({ [name]: fact })],
  )
}

/** The ids of the series that the lines name. */
export const idsInState = ({ conditions, focus, hated, list, read }: DialogueState): readonly string[] => [
  ...new Set([...conditions.like, ...read.slice(-EACH_MAX), ...hated.slice(-EACH_MAX), ...focus, ...list]),
]
