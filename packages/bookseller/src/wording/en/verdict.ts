// Which of several series to choose, in English.
import type { Product } from '../../catalogue/catalogue.ts'
import type { Aspect } from '../../understanding/reading.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { LineOf } from '../lines.ts'
import { mainContent } from '../content-order.ts'
import { contentInEnglish } from './content.ts'
import { english } from './words.ts'

const { joined, length, title } = english

/** By their keys, or as they were written. */
function aspectNames(aspects: readonly Aspect[]): string {
  const names = aspects.map(({ text, genres: [genre], moods: [mood] }) => {
    if (genre !== undefined) return labelOf(GENRES, genre, 'en')
    return mood === undefined ? `“${text}”` : labelOf(MOODS, mood, 'en')
  })
  return joined([...new Set(names)])
}

/** What it has of the kind. */
function unwanted(product: Product, aspects: readonly Aspect[]): string {
  const notes = (product.content ?? []).filter((key) => aspects.some(({ content }) => content.includes(key)))
  return notes.length > 0
    ? contentInEnglish(title(product), mainContent(notes, 2))
    : `${title(product)} has a side of ${aspectNames(aspects)}`
}

export function verdictInEnglish({ best, other, by, years, aspects }: LineOf<'verdict'>): readonly string[] {
  const ages = ({ age: from }: Product) =>
    from === undefined ? 'not marked for an age' : from === 0 ? 'for any age' : `for about ${from} and up`
  if (by === undefined) return [`There is little between them; I’d begin with ${title(best)}.`]
  switch (by) {
    case 'age':
      return [`At ${years}, I’d choose ${title(best)}: it is ${ages(best)}, while ${title(other)} is ${ages(other)}.`]
    case 'avoided':
      return [`I’d choose ${title(best)}: ${unwanted(other, aspects)}, which you want to avoid.`]
    case 'wished':
      return [
        `I’d choose ${title(best)}: it has more of what you’re after (${aspectNames(aspects)}) than ${title(other)}.`,
      ]
    case 'alike':
      return [`I’d choose ${title(best)}: it is closer than ${title(other)} to what you liked.`]
    case 'stock':
      return [`I’d begin with ${title(best)}: it is in stock, and ${title(other)} is sold out just now.`]
    case 'length':
      return [
        `I’d begin with ${title(best)}: at ${length(best)} it is easier to try than ${title(other)} with ${other.volumes}.`,
      ]
  }
}
