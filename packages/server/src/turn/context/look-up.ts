// From words to products: understands a message, then retrieves what answers it. Turns and `mangaassist search` both use
// it, so that the evaluation measures what shoppers get.
import { isDeepStrictEqual } from 'node:util'
import type { Language } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { AskKind } from '@mangaassist/bookseller/understanding/ask'
import { answerLanguage } from '@mangaassist/bookseller/text/answer-language'
import type { LanguageSigns } from '@mangaassist/bookseller/text/answer-language'
import { inContext } from '@mangaassist/bookseller/understanding/in-context'
import { interpret } from './interpret.ts'
import type { Said } from './interpret.ts'
import { createLexicon } from './lexicon.ts'
import { pinFacts } from './pin.ts'
import { faqFor, retrieve } from './retrieve.ts'
import type { RetrieveParts } from './retrieve.ts'
import { readPart, rememberUnderstood } from './understood.ts'

export interface LookUp {
  find(question: Said & { readonly limit: number }, signal: AbortSignal): Promise<Grounding>
  /** The language to answer in, by the words of the message without the titles in it. */
  languageOf(signs: LanguageSigns): Promise<Language>
  /** Whether the message means something else after the earlier turns than alone. */
  leansOnHistory(said: Said): Promise<boolean>
  /** Facts that the shopper stated before and that must not be lost, as lines of data. */
  facts(said: Omit<Said, 'message'>): Promise<readonly string[]>
  /** The grounding when the catalogue cannot be read. */
  offShelves(said: Said): Grounding
  /** Prepares what `find` needs. Never rejects. */
  warm(): Promise<void>
}

const NEEDS_NO_SHELVES: ReadonlySet<AskKind> = new Set(['greeting', 'thanks', 'identity', 'off-topic', 'faq'])

export function createLookUp(parts: RetrieveParts): LookUp {
  const lexicon = createLexicon(parts)
  const understood = rememberUnderstood()
  return {
    async find(question, signal) {
      const ask = await interpret({ ...parts, lexicon, understood }, question)
      const { message, language, limit } = question
      return retrieve(parts, { ask, text: readPart(message), language, limit }, signal)
    },
    async languageOf(signs) {
      const { titles } = await lexicon.current()
      return answerLanguage(signs, (message) => {
        const read = readPart(message)
        return titles.guess(read) === undefined ? titles.find(read).rest : ''
      })
    },
    async leansOnHistory(said) {
      const meanings = [said, { ...said, history: [] }].map((each) =>
        interpret({ ...parts, lexicon, understood }, each),
      )
      const [after, alone] = await Promise.all(meanings)
      return !isDeepStrictEqual(after, alone)
    },
    facts: ({ history, language }) => pinFacts({ ...parts, lexicon, understood }, history, language),
    offShelves({ message, language }) {
      const ask = inContext(understood(message, language, lexicon.withoutShelves), [])
      return NEEDS_NO_SHELVES.has(ask.kind) ? { ...UNGROUNDED, ask, faq: faqFor(parts, ask) } : UNGROUNDED
    },
    warm: () =>
      lexicon.current().then(
        () => {},
        () => {},
      ),
  }
}
