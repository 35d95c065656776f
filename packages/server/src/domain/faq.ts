// Finds the FAQ entry that answers a message, by whole words. It needs no search service, because it must
// still answer when everything else is down.
import type { Language } from '@mangaassist/protocol'
import { containsPhrase, wordsOf } from '#lib/words.ts'
import type { FaqEntry } from './catalogue.ts'

interface Phrases {
  readonly keywords: readonly (readonly string[])[]
  readonly questions: readonly (readonly string[])[]
}

const phrasesOfEntry = new WeakMap<FaqEntry, Partial<Record<Language, Phrases>>>()

/** Cut into words once: entries are few and live as long as the process. */
function phrasesOf(entry: FaqEntry, language: Language): Phrases {
  const known = phrasesOfEntry.get(entry)?.[language]
  if (known !== undefined) return known
  const cut = (texts: readonly string[]) => texts.map((text) => wordsOf(text, language))
  const phrases = { keywords: cut(entry.keywords[language]), questions: cut(entry.questions[language]) }
  phrasesOfEntry.set(entry, { ...phrasesOfEntry.get(entry), [language]: phrases })
  return phrases
}

/** More than any number of keywords: one of the entry's own questions, word for word. */
const OWN_QUESTION_SCORE = 1000

export function matchFaq(message: string, entries: readonly FaqEntry[], language: Language): FaqEntry | undefined {
  const words = wordsOf(message, language)
  let best: FaqEntry | undefined
  let bestScore = 0
  for (const entry of entries) {
    const { keywords, questions } = phrasesOf(entry, language)
    const byKeywords = keywords.reduce((sum, phrase) => (containsPhrase(words, phrase) ? sum + phrase.length : sum), 0)
    const isOwn = questions.some((question) => containsPhrase(words, question))
    const score = byKeywords + (isOwn ? OWN_QUESTION_SCORE : 0)
    if (score > bestScore) {
      best = entry
      bestScore = score
    }
  }
  return best
}
