// The search of a search box and of `mangaassist search`: words without a conversation. What it reads from the words is returned, so
// that a result can be explained.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { passagesOf } from '@mangaassist/bookseller/retrieval/passages'
import type { Passage } from '@mangaassist/bookseller/retrieval/passages'
import type { Excluded, Ranked } from '@mangaassist/bookseller/retrieval/rank'
import { readWords } from '@mangaassist/bookseller/retrieval/read-words'
import type { WordsRead } from '@mangaassist/bookseller/retrieval/read-words'
import type { ShelfAnswer } from '@mangaassist/bookseller/retrieval/shelf-search'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import { read } from '@mangaassist/bookseller/understanding/read'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search } from '#ports/search/port.ts'
import type { CurrentLexicon } from './lexicon.ts'

export interface WordSearchParts {
  readonly search: Pick<Search, 'explain'>
  readonly products: Pick<ProductStore, 'byIds'>
  readonly lexicon: Pick<CurrentLexicon, 'current'>
  readonly understanding: UnderstandingModel
}

interface Words {
  readonly text: string
  readonly language: Language
  readonly limit: number
}

interface FoundProduct extends Ranked {
  readonly product: Product
  /** The place by full text, from 1; absent when no term of the question is in it. */
  readonly textPlace?: number
  /** What means the question best. */
  readonly matched?: Passage
}

export interface WordsFound {
  readonly read: WordsRead
  readonly question: ShelfAnswer['question']
  /** The model of the embedder whose vectors gave the meaning score; absent: the vectors of words. */
  readonly embedder?: string
  /** What chose the products, where a search engine is configured. */
  readonly chosenBy?: ShelfAnswer['chosenBy']
  readonly found: readonly FoundProduct[]
  /** The best of those that a condition excludes. */
  readonly excluded: readonly (Excluded & { readonly product: Product })[]
}

export interface WordSearch {
  find(words: Words, signal: AbortSignal): Promise<WordsFound>
}

export function createWordSearch({ search, products, lexicon, understanding }: WordSearchParts): WordSearch {
  return {
    async find({ text, language, limit }, signal) {
      const names = (await lexicon.current()).lexicon
      const words = readWords(read({ message: text, language, previous: 'none' }, names, understanding), text)
      const answer = await search.explain({ text, language, limit, ...words }, signal)
      const { ranked, excluded, byText, question, embedder, chosenBy } = answer
      const all = await products.byIds([...ranked, ...excluded].map(({ id }) => id))
      const byId = new Map(all.map((product) => [product.id, product]))
      const places = new Map(byText.map(({ product }, place) => [product, place + 1]))
      return {
        read: words,
        question,
        ...(embedder === undefined ? {} : { embedder }),
        ...(chosenBy === undefined ? {} : { chosenBy }),
        found: ranked.flatMap((one): readonly FoundProduct[] => {
          const product = byId.get(one.id)
          if (product === undefined) return []
          const matched = passagesOf(product)[one.passage]
          const textPlace = places.get(one.number)
          return [
            {
              ...one,
              product,
              ...(textPlace === undefined ? {} : { textPlace }),
              ...(matched === undefined ? {} : { matched }),
            },
          ]
        }),
        excluded: excluded.flatMap((one) => {
          const product = byId.get(one.id)
          return product === undefined ? [] : [{ ...one, product }]
        }),
      }
    },
  }
}
