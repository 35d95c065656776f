// The search of a search box and of `mangaassist search`: words without a conversation. What it reads from the words is returned, so
// that a result can be explained.
import type { Language } from '@mangaassist/protocol'
import { passagesOf } from '@mangaassist/bookseller/retrieval/passages'
import { readWords } from '@mangaassist/bookseller/retrieval/read-words'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import { read } from '@mangaassist/bookseller/understanding/read'
import type { WordsFound } from '#domain/search/explanation.ts'
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
        found: ranked.flatMap((one): WordsFound['found'] => {
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
