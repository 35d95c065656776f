// How much of an FAQ entry a message asks for: a detail that it names, the brief answer, or all that the entry says.
import type { Language } from '@mangaassist/protocol'
import { fold } from '../text/words.ts'
import type { FaqEntry } from './catalogue.ts'

const DETAILS_MAX = 2
const WHOLE =
  /詳し|くわし|詳細|細かく|もっと(?:教え|知り)|\b(?:details?|in full|full policy|exact(?:ly)? (?:rules|terms)|fine print|(?:tell me|say|know) more)\b/iu

/** Whether a message asks for the whole policy, not for one detail. */
export const asksWhole = (message: string): boolean => WHOLE.test(message)

/** The entry for a message: `brief` is the answer to the details that the message names, and absent where all is asked for. */
export function asAsked({ details = [], ...entry }: FaqEntry, message: string): FaqEntry {
  const { brief: _, ...whole } = entry
  if (asksWhole(message)) return whole
  const asked = fold(message)
  const [first, ...others] = details.filter(({ words }) => words.some((word) => contains(asked, fold(word))))
  if (first === undefined) return entry
  const figures = figuresIn(first.ja)
  const more = others.filter(({ ja }) => !figuresIn(ja).some((figure) => figures.includes(figure)))
  const named = [first, ...more].slice(0, DETAILS_MAX)
  return { ...whole, brief: { ja: named.map(({ ja }) => ja).join(''), en: named.map(({ en }) => en).join(' ') } }
}

const figuresIn = (text: string): readonly string[] => text.match(/\d+/gu) ?? []

/** Words in Latin script count as wholes: "hold" is not in "household". */
function contains(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWhole = !LATIN.test(text[at - 1] ?? '') && !LATIN.test(text[at + word.length] ?? '')
    if (!LATIN.test(word) || isWhole) return true
  }
  return false
}

const LATIN = /[a-z0-9]/u

/** All that the shop states by an entry, for a check of what an answer says. */
export const statedBy = ({ answer, brief, details = [] }: FaqEntry, language: Language): string =>
  [answer, brief, ...details].flatMap((text) => text?.[language] ?? []).join('\n')
