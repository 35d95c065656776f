// The search of the support page: entries that contain every word, else those that share most of its terms, because a question is seldom
// worded as the shop words it. Pure.
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { FaqItem } from '@mangaassist/protocol'

/** Entries that share less than this part of the best match's terms are left out. */
const SHARE_MIN = 0.6
const FOUND_MAX = 8

export function faqMatches(items: readonly FaqItem[], q: string): readonly FaqItem[] {
  const words = plain(q)
    .split(/\s+/)
    .filter((word) => word !== '')
  const whole = items.filter((item) => words.every((word) => textOf(item).includes(word)))
  return whole.length > 0 ? whole : byTerms(items, q)
}

function byTerms(items: readonly FaqItem[], q: string): readonly FaqItem[] {
  const wanted = new Set(searchTerms(q))
  const scored = items.map((item) => {
    const [question, all] = [new Set(searchTerms(item.question)), new Set(searchTerms(textOf(item)))]
    // A term of the question itself counts twice.
    const score =
      [...wanted].filter((term) => all.has(term)).length + [...wanted].filter((term) => question.has(term)).length
    return { item, score }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score > 0 && score >= best * SHARE_MIN)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX)
    .map(({ item }) => item)
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
const textOf = ({ answer, question, topicLabel }: FaqItem): string => plain(`${topicLabel} ${question} ${answer}`)
