// Full text in memory: the terms of documents, ranked as by BM25 with names counting most.
import type { SearchDocument } from '../catalogue/search-document.ts'
import { searchTerms } from '../text/search-terms.ts'
import type { FullText } from './shelf-search.ts'
import type { TextHit } from './rank.ts'

export const IN_NAME_WEIGHT = 8
/** How many hits are ranked further. */
export const HITS_MAX = 150
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** A document is called by its number. */
export interface TermIndex extends FullText {
  /** The share of the terms that a document has. */
  matched(document: number, terms: readonly string[]): number
}

interface Posting {
  readonly document: number
  readonly frequency: number
}

export function termIndex(documents: readonly SearchDocument[]): TermIndex {
  const postings = new Map<string, Posting[]>()
  const lengths: number[] = []
  const held: ReadonlySet<string>[] = []
  for (const [document, { names, text }] of documents.entries()) {
    const frequencies = new Map<string, number>()
    const count = (terms: readonly string[], weight: number) => {
      for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + weight)
    }
    const [nameTerms, textTerms] = [searchTerms(names.join('\n')), searchTerms(text)]
    count(nameTerms, IN_NAME_WEIGHT)
    count(textTerms, 1)
    lengths.push(nameTerms.length + textTerms.length)
    held.push(new Set(frequencies.keys()))
    for (const [term, frequency] of frequencies) {
      const list = postings.get(term)
      if (list === undefined) postings.set(term, [{ document, frequency }])
      else list.push({ document, frequency })
    }
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1)
  return {
    find(terms) {
      const scores = new Map<number, number>()
      for (const term of terms) {
        const list = postings.get(term) ?? []
        const rarity = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5))
        for (const { document, frequency } of list) {
          const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * lengths[document]!) / mean
          const gain = (rarity * frequency * (1 + SATURATION)) / (frequency + SATURATION * length)
          scores.set(document, (scores.get(document) ?? 0) + gain)
        }
      }
      return best(scores)
    },
    matched: (document, terms) =>
      terms.length === 0 ? 0 : terms.filter((term) => held[document]?.has(term) === true).length / terms.length,
  }
}

function best(scores: ReadonlyMap<number, number>): readonly TextHit[] {
  return [...scores]
    .map(([product, score]) => ({ product, score }))
    .sort((a, b) => b.score - a.score || a.product - b.product)
    .slice(0, HITS_MAX)
}
