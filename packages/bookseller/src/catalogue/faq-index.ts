// Finds the FAQ entry that answers a message: by trained weights where there are word vectors, else by the words that the
// message shares with the entry's questions and keywords, of which rare ones count most. In memory, because it must still work
// when every service is down.
import type { Language } from '@mangaassist/protocol'
import { searchTerms } from '../text/search-terms.ts'
import { containsPhrase, segmentsOf, wordsOf } from '../text/words.ts'
import type { FaqEntry } from './catalogue.ts'
import type { FaqIndex } from './faq-match.ts'
import { trainFaq } from './faq-training.ts'
import { knowsAll, recognisedFaq } from './recognised-faq.ts'
import type { FaqMeaning } from './recognised-faq.ts'

interface Indexed {
  readonly entry: FaqEntry
  readonly terms: ReadonlyMap<string, number>
  /** The words of each question of the entry. */
  readonly questions: readonly (readonly string[])[]
}

const QUESTION_WEIGHT = 1
const KEYWORD_WEIGHT = 2
/** A lower score is chance. */
const SCORE_MIN = 1
const SURE_SCORE_MIN = 1.67
const SURE_PROBABILITY = 0.8
const GUESS_PROBABILITY = 0.4
/** The weight of a word that no entry has: it makes a match less likely. */
const UNKNOWN_RARITY = 0.3

type Meaning = { readonly [Part in keyof FaqMeaning]?: FaqMeaning[Part] | undefined }

/** The last index of each FAQ: the apps of one process, such as the nodes of a simulation, have the same entries. */
const indexes = new WeakMap<readonly FaqEntry[], Meaning & { readonly index: FaqIndex }>()

/** Without vectors the words alone count. */
export function faqIndex(entries: readonly FaqEntry[], { vectors, faqWeights }: Meaning = {}): FaqIndex {
  const known = indexes.get(entries)
  if (known !== undefined && known.vectors === vectors && known.faqWeights === faqWeights) return known.index
  const index = built(entries, { vectors, faqWeights })
  indexes.set(entries, { vectors, faqWeights, index })
  return index
}

function built(entries: readonly FaqEntry[], { vectors, faqWeights }: Meaning): FaqIndex {
  if (vectors === undefined || entries.length === 0) return { match: wordMatches(entries) }
  if (faqWeights !== undefined && knowsAll(faqWeights, entries))
    return { match: recognisedFaq(entries, { vectors, faqWeights }) }
  // The few questions of a shop's own FAQ teach little: its keywords count where nothing is recognised.
  const recognised = recognisedFaq(entries, { vectors, faqWeights: trainFaq(entries, vectors) })
  const byWords = wordMatches(entries)
  return { match: (message, language) => recognised(message, language) ?? byWords(message, language) }
}

function wordMatches(entries: readonly FaqEntry[]): FaqIndex['match'] {
  const byLanguage = { ja: indexed(entries, 'ja'), en: indexed(entries, 'en') }
  const phrases = { ja: keywordPhrases(entries, 'ja'), en: keywordPhrases(entries, 'en') }
  const rarity = { ja: rarityOf(byLanguage.ja), en: rarityOf(byLanguage.en) }
  return (message, language) => {
    const own = ownQuestion(wordsOf(message, language), byLanguage[language])
    if (own !== undefined) return { entry: own, sure: true, probability: 1 }
    const terms = [...distinctiveTerms(message), ...phrasesIn(message, phrases[language])]
    const known = terms.filter((term) => rarity[language].has(term))
    if (known.length === 0) return undefined
    const norm = Math.sqrt(terms.reduce((sum, term) => sum + (rarity[language].get(term) ?? UNKNOWN_RARITY), 0))
    let best: { readonly entry: FaqEntry; readonly score: number } | undefined
    for (const { entry, terms: own } of byLanguage[language]) {
      const score =
        known.reduce((sum, term) => sum + (own.get(term) ?? 0) * (rarity[language].get(term) ?? 0), 0) / norm
      // Words may be shared by chance, but a keyword is the subject of the entry.
      const isAbout = score >= SURE_SCORE_MIN || known.some((term) => own.get(term) === KEYWORD_WEIGHT)
      if (isAbout && score > (best?.score ?? SCORE_MIN)) best = { entry, score }
    }
    if (best === undefined) return undefined
    const sure = best.score >= SURE_SCORE_MIN
    return { entry: best.entry, sure, probability: sure ? SURE_PROBABILITY : GUESS_PROBABILITY }
  }
}

/** The entry that has the message among its questions, word for word; the longest question decides. */
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

/** Endings, particles and single characters occur in every sentence, so they are not distinctive. */
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const HAS_KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u
const INSIGNIFICANT = new Set('教え 教えて 作品 漫画 質問 series manga book books still help question'.split(' '))

/** Words, and pairs of kanji, which are half a word. Pairs of kana occur anywhere: 「リン」 in オリンピック and シュリンク. */
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
      // A phrase is a keyword only as a whole: "a person" is not "talk to a person". Each half of a compound is one.
      add(keyword, keyword.includes(' ') ? QUESTION_WEIGHT : KEYWORD_WEIGHT)
      if (segmentsOf(keyword, 'ja').length > 1) terms.set(keyword, KEYWORD_WEIGHT)
    }
    return { entry, terms, questions: entry.questions[language].map((question) => wordsOf(question, language)) }
  })
}

/** Keywords of several words, each with its words: 「届け先」, "e-book". */
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

/** From 0 to 1, where 1 is a term of a single entry. Scores are comparable whatever the number of entries. */
function rarityOf(indexes: readonly Indexed[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { terms } of indexes) for (const term of terms.keys()) uses.set(term, (uses.get(term) ?? 0) + 1)
  const most = Math.log(1 + indexes.length)
  return new Map([...uses].map(([term, count]) => [term, Math.log(1 + indexes.length / count) / most]))
}
