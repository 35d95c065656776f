// The FAQ entry that is most similar to a message: by the words that its questions use more than those of other entries,
// and by the meaning of its nearest questions.
import type { Language } from '@mangaassist/protocol'
import { contentWords } from '../retrieval/content-words.ts'
import type { WordVectors } from '../retrieval/word-vectors.ts'
import { fold, segmentsOf } from '../text/words.ts'
import type { FaqEntry } from './catalogue.ts'
import type { FaqIndex } from './faq-match.ts'

/** How much the meaning counts beside the words. */
const MEANING_WEIGHT = 12
/** The second and third most similar questions of an entry count too, but less. */
const NEIGHBOUR_WEIGHTS = [1, 0.35, 0.2] as const
/** Below this score a match is chance; above the second it is sure. */
const SCORE_MIN = 13
const SURE_SCORE_MIN = 20
const SMOOTHING = 0.05
const SMOOTHING_SIZE = 20

export function faqSimilarity(entries: readonly FaqEntry[], vectors: WordVectors): FaqIndex['match'] {
  const byWords = { ja: wordIndex(entries, 'ja'), en: wordIndex(entries, 'en') }
  const byMeaning = meaningIndex(entries, vectors)
  return (message, language) => {
    const words = byWords[language](message)
    const meanings = byMeaning(message)
    let best: { readonly entry: FaqEntry; readonly score: number } | undefined
    for (const [index, entry] of entries.entries()) {
      const score = words[index]! + MEANING_WEIGHT * meanings[index]!
      if (score > (best?.score ?? SCORE_MIN)) best = { entry, score }
    }
    return best === undefined ? undefined : { entry: best.entry, sure: best.score >= SURE_SCORE_MIN }
  }
}

/** For each entry how much likelier its texts use the words of the message than those of the other entries. */
function wordIndex(entries: readonly FaqEntry[], language: Language): (message: string) => Float64Array {
  // For each feature the entries that use it, once for each text: most features have one or two.
  const uses = new Map<string, number[]>()
  const sizes = new Float64Array(entries.length)
  for (const [index, entry] of entries.entries())
    for (const text of [...entry.questions[language], ...entry.keywords[language], entry.answer[language]])
      for (const feature of featuresOf(text, language)) {
        const users = uses.get(feature)
        if (users === undefined) uses.set(feature, [index])
        else users.push(index)
        sizes[index]! += 1
      }
  // A run of characters that a single text has is chance.
  for (const [feature, users] of uses) if (users.length === 1 && feature.startsWith('#')) uses.delete(feature)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const chance = (count: number, size: number) => Math.log((count + SMOOTHING) / (size + SMOOTHING_SIZE))
  return (message) => {
    const features = featuresOf(message, language)
    const scores = new Float64Array(entries.length)
    const counts = new Float64Array(entries.length)
    for (const feature of features) {
      const users = uses.get(feature)
      if (users === undefined) continue
      counts.fill(0)
      for (const index of users) counts[index]! += 1
      for (let index = 0; index < scores.length; index += 1)
        scores[index]! +=
          chance(counts[index]!, sizes[index]!) - chance(users.length - counts[index]!, all - sizes[index]!)
    }
    const length = Math.sqrt(features.size || 1)
    return scores.map((score) => score / length)
  }
}

/** For each entry how near the message is in meaning to its questions, in either language. */
function meaningIndex(entries: readonly FaqEntry[], vectors: WordVectors): (message: string) => Float64Array {
  const meanings = entries.map(({ questions, keywords, answer }) =>
    [...questions.ja, ...questions.en, ...keywords.ja, ...keywords.en, answer.ja, answer.en].map((text) =>
      meaningOf(text, vectors),
    ),
  )
  return (message) => {
    const asked = meaningOf(message, vectors)
    return Float64Array.from(meanings, (questions) => {
      const near = questions.map((question) => dot(asked, question)).sort((a, b) => b - a)
      return NEIGHBOUR_WEIGHTS.reduce((sum, weight, index) => sum + weight * (near[index] ?? 0), 0)
    })
  }
}

function meaningOf(text: string, vectors: WordVectors): Float32Array {
  const sum = new Float32Array(vectors.dimensions)
  for (const { row } of contentWords(text, vectors)) vectors.add(row, vectors.weight(row), sum)
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!
  return sum
}

const JAPANESE_RUN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]+/gu
const GRAMS = [2, 3] as const

/** Words and pairs of words, and for Japanese runs of two and three characters. */
function featuresOf(text: string, language: Language): ReadonlySet<string> {
  const words = segmentsOf(text, language).map(stem)
  const features = new Set(words)
  for (const [index, word] of words.entries()) if (index > 0) features.add(`${words[index - 1]} ${word}`)
  for (const [run] of fold(text).matchAll(JAPANESE_RUN))
    for (const length of GRAMS)
      for (let at = 0; at + length <= run.length; at += 1) features.add(`#${run.slice(at, at + length)}`)
  return features
}

/** "shipping", "shipped" and "ships" are one word. */
const stem = (word: string): string =>
  /^[a-z]{4,}$/u.test(word) ? word.replace(/(?:ies|es|s|ing|ed)$/u, '').replace(/(.)\1$/u, '$1') : word
