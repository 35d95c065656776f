// Messages of several sentences: each is read by itself as well, so that a question to the shop beside a choice is answered too,
// and a question at the end is not lost in what was said before it.
import type { Act, AskedFact, Reading } from '../../understanding/reading.ts'
import { askedFacts, factsIn } from '../asked-facts.ts'
import { sentencesOf } from '../said.ts'
import type { Sentence } from '../understood.ts'

const SENTENCES_MAX = 4
const LETTERS_MIN = 4
/** From this certainty on a sentence is understood without the rest of the message. */
const SURE_MIN = 0.6

export function sentencesIn(message: string, read: (words: string) => Reading): readonly Sentence[] {
  const all = sentencesOf(message).filter((words) => (words.match(/\p{L}/gu)?.length ?? 0) >= LETTERS_MIN)
  return all.length < 2 ? [] : all.slice(-SENTENCES_MAX).map((words) => ({ words, reading: read(words) }))
}

/** Acts that are guessed for anything that is said beside a question. */
const GUESSED: ReadonlySet<Act> = new Set([
  'recommend',
  'tell',
  'find',
  'title',
  'choose',
  'unclear',
  'thanks',
  'language',
  'yes',
  'no',
])
const QUESTION =
  /[?？]|^(?:and |but |so |ok |hm+ )?(?:what|which|who|how|when|where|is|are|does|do|can|could|will|has|have)\b|(?:か|の|け|よね|かな|かしら|でしょう)[。.!！…]*\s*$/iu
const ASKING: ReadonlySet<Act> = new Set(['fact', 'compare', 'why'])

/** The act of the whole, or that of the question it ends with, which asks for a fact in exact words. */
export function withLastQuestion(reading: Reading, sentences: readonly Sentence[]): Reading {
  const last = sentences.at(-1)
  if (last === undefined || !QUESTION.test(last.words)) return reading
  const { act, sureness, facts, measures, plot, want, avoid } = last.reading
  if (!GUESSED.has(reading.act) && !(reading.act === 'fact' && act === 'compare')) return reading
  if (!ASKING.has(act) || sureness < SURE_MIN || plot !== '' || want.length + avoid.length > 0) return reading
  // Conditions for suggestions are no question about a series.
  if (Object.keys(reading.limits).some((name) => name !== 'age')) return reading
  if (act === 'fact' && factsIn(last.words).length + facts.length === 0) return reading
  return { ...reading, act, sureness, facts, measures }
}

/** The facts that each of the sentences asks for. */
export function factsOfSentences(sentences: readonly Sentence[]): readonly AskedFact[] {
  const asking = sentences.filter(({ words }) => QUESTION.test(words))
  return [...new Set(asking.flatMap(({ reading, words }) => askedFacts(reading, words)))].filter(
    (fact) => fact !== 'other',
  )
}
