// The key of a question in the answer cache: what was meant and by which words, not how it was typed; and everything that the answer is
// made from: the edition of the catalogue, by content and without prices and stock, which change often; and the retrieved products with
// price and stock, because an answer must not outlive the stock that it mentions. In doubt two questions have two keys.
import { createHash } from 'node:crypto'
import type { Language } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { fold } from '@mangaassist/bookseller/text/words'
import { nameWords, questionWords } from '@mangaassist/bookseller/understanding/question-words'

export interface AnswerKeyParts {
  readonly language: Language
  readonly question: string
  /** The system prompt and the settings that shape an answer. */
  readonly prompt: string
  readonly grounding: Grounding
  /** The digest of the catalogue's facts and FAQ. */
  readonly edition: string
  /** The name of the route, which selects the models. */
  readonly route: string
}

export function answerKey({ edition, language, question, prompt, grounding, route }: AnswerKeyParts): string {
  const { intent, state, relaxed, isUnsure, shop, products, liked, faq } = grounding
  const meant = JSON.stringify([intent, state, relaxed], withoutWording)
  // Listed, because the order of the fields must not change the key.
  const made = [meant, isUnsure, shop, grounding.language, products, liked, faq]
  const parts = [language, wordsFor(question, grounding), prompt, made, edition, route]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/**
 * Fields of an intent and a state that repeat words of the message, measure them, or name the facts that they ask for: its words are in
 * the key once, and a prompt has all facts of the series.
 */
const WORDING: ReadonlySet<string> = new Set([
  'text',
  'share',
  'audience',
  'unstocked',
  'name',
  'facts',
  'supposed',
  'isGuessed',
  'volume',
])

function withoutWording(field: string, value: unknown): unknown {
  if (WORDING.has(field)) return undefined
  // Asking for a fact and asking what a series is share a key here: the words of the question distinguish them.
  if (field === 'kind' && value === 'introduce') return 'inform'
  return typeof value === 'string' ? fold(value) : value
}

/** Questions about the title itself: here different titles of a series are different questions. */
const ASKS_NAME =
  /意味|読み方|[てと]読|名前|題名|原題|タイトル|英語|日本語|略|\b(?:mean|pronounce|call|title|name|spell|translat|english|japanese|stand)/u

/** The words of the question, with the id of a named series in place of its title: 「ワンピース」 and "ONE PIECE" name the same. */
function wordsFor(question: string, grounding: Grounding): string {
  const words = questionWords(question)
  if (ASKS_NAME.test(words)) return words
  const found: Title[] = []
  for (const title of titlesOfNamed(grounding).flatMap((named) => occurrencesOf(named, words)))
    if (!found.some(({ from, to }) => from < title.to && title.from < to)) found.push(title)
  // One series by two titles, or by one twice: how it is written may be what is asked.
  if (new Set(found.map(({ id }) => id)).size < found.length) return words
  return found
    .toSorted((one, other) => other.from - one.from)
    .reduce((left, { id, from, to }) => `${left.slice(0, from)}#${id}${left.slice(to).replace(GAP, '')}`, words)
}

/** Only a title in Latin letters leaves one: 「ONE PIECE 115巻」 and 「ワンピース 115巻」. */
const GAP = /^ (?=\d+[巻冊])/u

interface Title {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The longest first, because a title may contain another. */
function titlesOfNamed({
  intent,
  state,
  products,
  liked,
}: Grounding): readonly (readonly [id: string, words: string])[] {
  const ids = 'ids' in intent ? intent.ids : intent.kind === 'works' && intent.of !== undefined ? [intent.of] : []
  const named = new Set([...ids, ...state.conditions.like])
  return [...new Map([...products, ...liked].map((product) => [product.id, product])).values()]
    .filter(({ id }) => named.has(id))
    .flatMap(({ id, title: { ja, en, romaji, kana = ja } }) =>
      [...new Set([ja, en, romaji, kana])].map((name) => [id, nameWords(name)] as const),
    )
    .filter(([, { length }]) => length > 1)
    .toSorted(([, one], [, other]) => other.length - one.length)
}

function occurrencesOf([id, title]: readonly [id: string, words: string], words: string): readonly Title[] {
  const found: Title[] = []
  for (let from = words.indexOf(title); from !== -1; from = words.indexOf(title, from + 1)) {
    const to = from + title.length
    if (isEdge(words, from) && isEdge(words, to)) found.push({ id, from, to })
  }
  return found
}

/** Not inside of a word in Latin letters. */
const isEdge = (words: string, at: number): boolean => !/^[a-z\d]{2}$/u.test(words.slice(Math.max(0, at - 1), at + 1))
