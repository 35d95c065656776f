// Decides whether a text continues the shown text or is another answer to the same question. It checks grammar and shape at the cut
// first, then the content: another answer introduces the subject again and repeats itself, a continuation adds to it. In doubt it
// does not belong: an answer that visibly breaks off is better than two answers in one.
import { beginningOf, closes, cutOf } from './cut.ts'
import { isHeading, opensAnAnswer } from './openings.ts'
import { isProof } from './repeated-words.ts'
import { termsOf } from './terms.ts'
import type { Term } from './terms.ts'

export interface Join {
  readonly question: string
  readonly shown: string
  /** The beginning of the new text: a sentence or two. */
  readonly said: string
  /** The last words of the shown text, as far as the new text repeated them. */
  readonly again: string
  /** The model got the shown text as the beginning of its own answer, so it hardly ever starts again. */
  readonly isPrefilled: boolean
}

/** With fewer words of its own the shown text is too short for a repetition to be recognised. */
const SHOWN_WORDS_MIN = 2
/** The maximum share of repeated content in the new text, by how certainly its beginning belongs. */
const ATTACHED_SHARE_MAX = 0.5
const ATTACHED_COUNT_MIN = 4
const CONNECTED_SHARE_MAX = 0.34
const LIKELY_SHARE_MAX = 0.25

/** Beginnings of a sentence that refers to the previous one. */
const CONNECTED_EN =
  /^(?:(?:Also|Additionally|Afterwards|Alternatively|And|Another|As well|Besides|But|Each|Even so|Finally|First|However|Instead|Lastly|Meanwhile|Moreover|Next|Otherwise|Still|That said|Then|They(?! (?:are|were) |['’]re)|Their|These|Those|Yet|After that|Apart from that)(?![\p{L}])|(?:\S+ ){1,5}(?:also|do this|of these|of them)(?![\p{L}]))/u
const CONNECTED_JA =
  /^(?:また|なお|さらに|ただし|ただ、|一方|その(?:後|ため|ほか|場合|うち|とき|際)|それ(?:以|でも|に加|ぞれ)|そこ|これら|いずれも|どれも|次に|最後に|しかし|ちなみに|後者|前者|特に|とくに|加えて|あわせて|同じ|このように|ほかに|ほかの)/u

export function belongs({ question, shown, said, again, isPrefilled }: Join): boolean {
  const text = said.trimStart()
  if (text === '') return true
  const isProven = isProof(again)
  // A repeated name may begin another answer: then it is judged as part of the new text.
  const [before, after] = isProven ? [shown, said] : [withoutEnd(shown, again), again + said]
  const cut = cutOf(before)
  if (cut.open !== undefined && !closes(cut.open, after)) return false
  if (opensAnAnswer(after.trimStart())) return false
  const beginning = beginningOf(before, after, cut)
  if (beginning === 'apart' || isHeading(text)) return false
  const known = wordsBefore(question, shown)
  const all = repeatsOf(known, text)
  const isAttached = beginning === 'attached' && !beginsWithWordOf(known.asked, text) && !repeatsLastWords(before, text)
  if (isProven || cut.open !== undefined || isAttached)
    return all.share <= ATTACHED_SHARE_MAX || all.count < ATTACHED_COUNT_MIN
  if (beginning === 'likely') return all.share <= LIKELY_SHARE_MAX
  if (beginning === 'item') return known.own >= SHOWN_WORDS_MIN && !all.hasName && all.share <= CONNECTED_SHARE_MAX
  const isConnected = cut.place === 'finished' && (CONNECTED_EN.test(text) || CONNECTED_JA.test(text))
  // A text that could also begin another answer needs a reason to be accepted.
  return (isConnected || isPrefilled) && known.own >= SHOWN_WORDS_MIN && all.share <= CONNECTED_SHARE_MAX
}

/** Whether the text begins with a lower-case word of the question. Lower case then does not show that it continues a sentence. */
function beginsWithWordOf(asked: ReadonlySet<string>, text: string): boolean {
  const first = /^\p{Ll}+ /u.exec(text)?.[0] ?? ''
  return termsOf(first).some(({ forms }) => forms.some((form) => asked.has(form)))
}

/** "volume 1, volume 1 is …": the words before the comma are repeated without it. */
function repeatsLastWords(shown: string, text: string): boolean {
  const words = /(?:^|\s)(\p{Ll}+(?:\s\p{N}+)?)[,;:]\s?$/u.exec(shown)?.[1]
  return words !== undefined && text.startsWith(`${words} `)
}

function withoutEnd(shown: string, again: string): string {
  const end = shown.trimEnd()
  return again === '' ? shown : end.slice(0, end.length - again.trim().length)
}

interface Before {
  readonly asked: ReadonlySet<string>
  readonly shown: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /** How many different words of the shown text are not in the question. */
  readonly own: number
}

function wordsBefore(question: string, shown: string): Before {
  const asked = new Set(termsOf(question).flatMap(({ forms }) => forms))
  const terms = termsOf(shown)
  const formsOf = (of: readonly Term[]) => new Set(of.flatMap(({ forms }) => forms))
  const own = terms.filter(({ forms }) => !forms.some((form) => asked.has(form))).map(({ forms }) => forms[0])
  return { asked, shown: formsOf(terms), names: formsOf(terms.filter(({ isName }) => isName)), own: new Set(own).size }
}

interface Repeats {
  /** How many of its content words are in the shown text or in the question. */
  readonly count: number
  /** Their share of all its content words. */
  readonly share: number
  /** Whether a name of the shown text is among them. */
  readonly hasName: boolean
}

function repeatsOf({ asked, shown, names }: Before, text: string): Repeats {
  const terms = termsOf(text)
  const has = (words: ReadonlySet<string>) => (term: Term) => term.forms.some((form) => words.has(form))
  const again = terms.filter((term) => has(shown)(term) || has(asked)(term))
  return {
    count: again.length,
    share: again.length / Math.max(1, terms.length),
    hasName: again.some((term) => term.isName || has(names)(term)),
  }
}
