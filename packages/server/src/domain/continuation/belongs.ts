// Whether a text continues what was shown, or is another answer to the same question. Grammar and shape at the cut come first;
// then what the text says: another answer introduces the subject again and repeats what was said, a continuation adds to it.
// What is doubtful does not belong: a shown part that ends honestly is better than two answers in one.
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
  /** The last words of the shown text, said again before it. */
  readonly again: string
  /** The model was given the shown words as its own beginning, so it hardly begins again. */
  readonly isPrefilled: boolean
}

/** With fewer words of its own the shown part says too little for a repetition of it to be noticed. */
const SHOWN_WORDS_MIN = 2
/** How much of the new text's content may have been said before, by how surely its beginning belongs. */
const ATTACHED_SHARE_MAX = 0.5
const ATTACHED_COUNT_MIN = 4
const CONNECTED_SHARE_MAX = 0.34
const LIKELY_SHARE_MAX = 0.25

/** A new sentence that begins so refers to the one before. */
const CONNECTED_EN =
  /^(?:(?:Also|Additionally|Afterwards|Alternatively|And|Another|As well|Besides|But|Each|Even so|Finally|First|However|Instead|Lastly|Meanwhile|Moreover|Next|Otherwise|Still|That said|Then|They(?! (?:are|were) |['’]re)|Their|These|Those|Yet|After that|Apart from that)(?![\p{L}])|(?:\S+ ){1,5}(?:also|do this|of these|of them)(?![\p{L}]))/u
const CONNECTED_JA =
  /^(?:また|なお|さらに|ただし|ただ、|一方|その(?:後|ため|ほか|場合|うち|とき|際)|それ(?:以|でも|に加|ぞれ)|そこ|これら|いずれも|どれも|次に|最後に|しかし|ちなみに|後者|前者|特に|とくに|加えて|あわせて|同じ|このように|ほかに|ほかの)/u

export function belongs({ question, shown, said, again, isPrefilled }: Join): boolean {
  const text = said.trimStart()
  if (text === '') return true
  const isProven = isProof(again)
  // A name said again may begin another answer: then it is judged as a beginning, behind what was shown before it.
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
  // Words that could as well begin another answer need a reason to be believed.
  return (isConnected || isPrefilled) && known.own >= SHOWN_WORDS_MIN && all.share <= CONNECTED_SHARE_MAX
}

/** In lower case, as some models write: then it is no sign of a continuation. */
function beginsWithWordOf(asked: ReadonlySet<string>, text: string): boolean {
  const first = /^\p{Ll}+ /u.exec(text)?.[0] ?? ''
  return termsOf(first).some(({ forms }) => forms.some((form) => asked.has(form)))
}

/** "volume 1, volume 1 is …": the words before the comma, said again without it. */
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
  /** How many different words of the shown part are not the question's. */
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
  /** How many of its content words were said or asked before, and their share. */
  readonly count: number
  readonly share: number
  /** A name of the shown part is among them. */
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
