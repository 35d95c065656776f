// Search for operators: how the assistant reads some words, what a turn would find for them, and why each result has its place. Nothing is stored.
import type { Language } from '@mangaassist/protocol'
import type { SearchExplanationView } from '@mangaassist/protocol/admin'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { explanation, meaningSource } from '#domain/search/explanation.ts'
import type { EmbedderState, WordsFound } from '#domain/search/explanation.ts'
import { readingLines } from '#domain/search/reading-line.ts'
import type { ProductStore } from '#ports/product-store/port.ts'

interface Words {
  readonly text: string
  readonly language: Language
  readonly limit: number
}

export interface ExplainSearchParts {
  readonly products: Pick<ProductStore, 'edition'>
  readonly embeddings?: EmbedderState | undefined
  /** The grounding of a turn whose first message has these words. */
  readonly lookUp: (words: Words, signal: AbortSignal) => Promise<Grounding>
  /** The search of the search box, with its explanation. */
  readonly words: (words: Words, signal: AbortSignal) => Promise<WordsFound>
}

export interface ExplainedWords {
  readonly text: string
  /** Default: as detected. */
  readonly language?: Language | undefined
  readonly limit: number
}

export function createExplainSearch({ embeddings, lookUp, products, words }: ExplainSearchParts) {
  return {
    async explainSearch(asked: ExplainedWords, signal: AbortSignal): Promise<SearchExplanationView> {
      const query = { ...asked, language: asked.language ?? detectLanguage(asked.text) }
      const [edition, grounding, found] = await Promise.all([
        products.edition(),
        lookUp(query, signal),
        words(query, signal),
      ])
      const { intent, isUnsure, reading, relaxed } = grounding
      return {
        language: query.language,
        edition: edition?.digest ?? null,
        understood: {
          act: reading.act,
          intent: intent.kind,
          ja: [...readingLines(grounding, 'ja')],
          en: [...readingLines(grounding, 'en')],
        },
        turn: {
          products: grounding.products.map(({ id, title }) => ({ id, title: { ja: title.ja, en: title.en } })),
          faq: grounding.faq.map(({ id, questions }) => ({
            id,
            question: { ja: questions.ja[0] ?? id, en: questions.en[0] ?? id },
          })),
          relaxed: [...relaxed],
          isUnsure,
        },
        ...explanation(found, meaningSource(found, embeddings)),
      }
    },
  }
}
