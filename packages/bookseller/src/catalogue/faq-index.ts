// Finds the FAQ entry that answers a message: by the words it shares with the ways the entry is asked, the rare
// ones counting most. In memory and without a search service, because it must still answer when all else is down.
import type { Language } from '@mangaassist/protocol'
import { searchTerms } from '../text/search-terms.ts'
import { containsPhrase, segmentsOf, wordsOf } from '../text/words.ts'
import type { FaqEntry } from './catalogue.ts'

export interface FaqIndex {
  /** The entry that answers a message, unless none does well enough. */
  match(message: string, language: Language): FaqMatch | undefined
}

export interface FaqMatch {
  readonly entry: FaqEntry
  /** Hardly anything else can be meant. */
  readonly sure: boolean
}

interface Indexed {
  readonly entry: FaqEntry
  readonly terms: ReadonlyMap<string, number>
  /** The words of each way the entry is asked. */
  readonly questions: readonly (readonly string[])[]
}

const QUESTION_WEIGHT = 1
const KEYWORD_WEIGHT = 2
/** Below this, what is shared is chance. */
const SCORE_MIN = 1
const SURE_SCORE_MIN = 1.67
/** What a word weighs that no entry has: it makes the message less likely to be about any. */
const UNKNOWN_RARITY = 0.3

export function faqIndex(entries: readonly FaqEntry[]): FaqIndex {
  const byLanguage = { ja: indexed(entries, 'ja'), en: indexed(entries, 'en') }
  const phrases = { ja: keywordPhrases(entries, 'ja'), en: keywordPhrases(entries, 'en') }
  const rarity = { ja: rarityOf(byLanguage.ja), en: rarityOf(byLanguage.en) }
  return {
    match(message, language) {
      const own = ownQuestion(wordsOf(message, language), byLanguage[language])
      if (own !== undefined) return { entry: own, sure: true }
      const terms = [...distinctiveTerms(message), ...phrasesIn(message, phrases[language])]
      const known = terms.filter((term) => rarity[language].has(term))
      if (known.length === 0) return undefined
      const norm = Math.sqrt(terms.reduce((sum, term) => sum + (rarity[language].get(term) ?? UNKNOWN_RARITY), 0))
      let best: { readonly entry: FaqEntry; readonly score: number } | undefined
      for (const { entry, terms: own } of byLanguage[language]) {
        const score =
          known.reduce((sum, term) => sum + (own.get(term) ?? 0) * (rarity[language].get(term) ?? 0), 0) / norm
        // Shared wording alone may be chance; a keyword is what the entry is about.
        const isAbout = score >= SURE_SCORE_MIN || known.some((term) => own.get(term) === KEYWORD_WEIGHT)
        if (isAbout && score > (best?.score ?? SCORE_MIN)) best = { entry, score }
      }
      return best === undefined ? undefined : { entry: best.entry, sure: best.score >= SURE_SCORE_MIN }
    },
  }
}

/** The entry one of whose own questions was asked, word for word: the longest, should there be several. */
function ownQuestion(words: readonly string[], indexes: readonly Indexed[]): FaqEntry | undefined {
  let best: { readonly entry: FaqEntry; readonly length: number } | undefined
  for (const { entry, questions } of indexes) {
    const asked = questions.filter(
      (question) => question.length > (best?.length ?? 0) && containsPhrase(words, question),
    )
    if (asked.length > 0) best = { entry, length: Math.max(...asked.map((question) => question.length)) }
  }
  return best?.entry
}

/** Endings, particles and single characters, which every sentence has, tell nothing about what it asks. */
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const HAS_KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u
const INSIGNIFICANT = new Set('教え 教えて 作品 漫画 質問 series manga book books still help question'.split(' '))

/** Words, and pairs of kanji, which are half a word; pairs of kana are in any word: 「リン」 in オリンピック and in シュリンク. */
function distinctiveTerms(text: string): readonly string[] {
  const words = new Set(segmentsOf(text, 'ja'))
  const isDistinctive = (term: string) =>
    term.length > 1 && !INSIGNIFICANT.has(term) && (!HIRAGANA_ONLY.test(term) || term.length > 2)
  return [...new Set(searchTerms(text))].filter(
    (term) => isDistinctive(term) && (!HAS_KANA.test(term) || words.has(term)),
  )
}

function indexed(entries: readonly FaqEntry[], language: Language): readonly Indexed[] {
  return entries.map((entry) => {
    const terms = new Map<string, number>()
    const add = (text: string, weight: number) => {
      for (const term of distinctiveTerms(text)) terms.set(term, Math.max(terms.get(term) ?? 0, weight))
    }
    for (const question of entry.questions[language]) add(question, QUESTION_WEIGHT)
    for (const keyword of entry.keywords[language]) {
      // Of a phrase only the whole isDistinctive: a person is not yet "talk to a person". Of a compound each half does.
      add(keyword, keyword.includes(' ') ? QUESTION_WEIGHT : KEYWORD_WEIGHT)
      if (segmentsOf(keyword, 'ja').length > 1) terms.set(keyword, KEYWORD_WEIGHT)
    }
    return { entry, terms, questions: entry.questions[language].map((question) => wordsOf(question, language)) }
  })
}

/** Keywords of several words, with those words: 「届け先」, "e-book". */
type Phrases = ReadonlyMap<string, readonly string[]>

function keywordPhrases(entries: readonly FaqEntry[], language: Language): Phrases {
  const cut = entries.flatMap(({ keywords }) =>
    keywords[language].map((keyword) => [keyword, segmentsOf(keyword, 'ja')] as const),
  )
  return new Map(cut.filter(([, words]) => words.length > 1))
}

function phrasesIn(message: string, phrases: Phrases): readonly string[] {
  const words = segmentsOf(message, 'ja')
  return [...phrases].filter(([, phrase]) => containsPhrase(words, phrase)).map(([keyword]) => keyword)
}

/** From 0 to 1, which is a term of one entry alone: however many entries there are, a score means the same. */
function rarityOf(indexes: readonly Indexed[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { terms } of indexes) for (const term of terms.keys()) uses.set(term, (uses.get(term) ?? 0) + 1)
  const most = Math.log(1 + indexes.length)
  return new Map([...uses].map(([term, count]) => [term, Math.log(1 + indexes.length / count) / most]))
}
