// Whether a message asks if a series is, or has, something: "isn't that one violent?", 「恋愛は苦手ですが、これは大丈夫？」. The series
// is the subject of the question, and what is asked about is a quality and no wish.
import { aspectOf } from '../../understanding/aspects.ts'
import type { Aspect, Reading } from '../../understanding/reading.ts'

const VERB = "(?:is|isn'?t|are|aren'?t|was|does|doesn'?t|do|don'?t|will|would|has|have|hasn'?t)"
const SUBJECT =
  "(?:it|they|(?:the|that|this) (?:\\w+ )?one|the (?:whole|full|complete|entire) \\w+|the lot)\\b|(?:is|isn'?t|does|will|would)\\s+(?:this|that)\\b"
/** Where a clause begins: a question has its verb before its subject. */
const CLAUSE = '(?:^|[.,!?;:…—-]\\s*|\\b(?:and|but|so|or|though|hmm?|ok|oh|wait|well)\\s+)'
const ENGLISH = new RegExp(
  `${CLAUSE}(?:${VERB}\\s+${SUBJECT})|\\b(?:any|much|lots of|a lot of)\\b[^.?!]*\\bin (?:it|this|that|there)\\b`,
  'iu',
)
const JAPANESE_TOPIC =
  /(?:これ|それ|あれ|こちら|そちら|この作品|その作品|この漫画|その漫画|この本|その本)(?:は|って|も|、)/u
const QUESTION =
  /[?？]|^(?:and |but |so |ok |hm+ )?(?:what|which|who|how|when|where|is|are|does|do|can|could|will|has|have)\b|(?:(?:です|ます|でしょう|だろう|ません)か(?:ね|な)?|かな|かしら|よね|っけ|の)[。.!！…]*\s*$/iu
/** An "it" that is no series. */
const DUMMY =
  /\b(?:is|isn'?t|would|will) it (?:possible|too (?:late|much)|ok(?:ay)? (?:if i|to)|true|allowed|me\b|be possible)/iu
const ALL_RIGHT = /大丈夫|平気|いける|楽しめ|読め|向い/u

const PLACED = /^ref:(?:\d|last|other)$/u

/** The verb before a name makes the named series the subject: "is X sad?". */
function isOfNamed({ spans, series }: Reading, text: string): boolean {
  const isNamed = (words: string) => series.some((one) => one.id !== undefined && one.text === words)
  const named = spans.filter(({ role, text: words }) => (role === 'title' ? isNamed(words) : PLACED.test(role)))
  return named.some(
    ({ from, to }) =>
      new RegExp(`${CLAUSE}${VERB}\\s+(?:the )?$`, 'iu').test(text.slice(0, from)) ||
      /^\s*(?:は|って|も|に)/u.test(text.slice(to)),
  )
}

export function isFitQuestion(reading: Reading, message: string): boolean {
  const text = message.normalize('NFKC')
  if (reading.changes.length > 0 || reading.measures.length > 0) return false
  if (!QUESTION.test(text) || DUMMY.test(text)) return false
  return ENGLISH.test(text) || JAPANESE_TOPIC.test(text) || isOfNamed(reading, text)
}

export const isQuestion = (message: string): boolean =>
  QUESTION.test(message.normalize('NFKC')) || ENGLISH.test(message)

/** A question is shorter. */
const ASKED_LENGTH_MAX = 600

/** What is asked about: wishes and dislikes of the message, and its other words that name a genre, a mood or a content. */
export function aspectsAsked({ want, avoid, plot, series }: Reading, message: string): readonly Aspect[] {
  const stated = [...want, ...avoid].filter(isKnown)
  // The words of a described story ask about none.
  if (plot !== '') return stated
  // The words of a title ask about nothing: "Death Note".
  const own = aspectOf(
    series.reduce((rest, { text }) => rest.replaceAll(text, ' '), message.normalize('NFKC').slice(0, ASKED_LENGTH_MAX)),
  )
  const isMore = own.content.some((key) => !stated.some(({ content }) => content.includes(key)))
  return isKnown(own) && (stated.length === 0 || isMore) ? [...stated, own] : stated
}

const isKnown = ({ genres, moods, content }: Aspect): boolean => genres.length + moods.length + content.length > 0

export const asksAllRight = (message: string): boolean => ALL_RIGHT.test(message)
