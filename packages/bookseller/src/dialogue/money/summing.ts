// Sums of a conversation: which series, and how much of each, a question about money adds up, and what it adds to the last sum or
// takes from it.
import type { Reading } from '../../understanding/reading.ts'
import type { DialogueState } from '../state.ts'
import { amountsOf } from './amounts.ts'
import type { Placed, Sum } from './amounts.ts'

export const SUMMED_MAX = 8

const TOGETHER =
  /両方|合わせ|あわせ|まとめて|どちらも|[2二3三](?:つ|作)|ふたつ|みっつ|together|\bboth\b(?! (?:volumes|books))|\bthe two\b|all of them|all (?:two|three|four)|\bthey\b|\bsum\b|combined/iu
const TWO = /両方|どちらも|[2二](?:つ|作)|ふたつ|\bboth\b(?! (?:volumes|books))|\bthe two\b|\btwo of\b/iu
const EACH = /それぞれ|1冊あたり|一冊あたり|一巻あたり|各|\beach\b|\bper (?:volume|book)\b|apiece|respectively/iu
const ADDED =
  /も(?:足|加|買|入|付|つけ|一緒|追加|頼|もら|含)|足し|加え|追加|プラス|一緒に|\bas well\b|\btoo\b|\balso\b|\badd(?:ed|ing)?\b|\bplus\b|\bwith\b|on top|throw in/iu
const REMOVED =
  /抜い|抜き|外し|除い|やめ|なしで|なしだ|減ら|引い|\bleave\b.*\bout\b|\bwithout\b|\bdrop\b|\bskip\b|\bremove\b|\bminus\b|\btake (?:out|off)\b|\bexclud|\bnot the\b|\bnever mind the\b/iu

export const isTogether = (words: string): boolean => TOGETHER.test(words)
export const isOfTwo = (words: string): boolean => TWO.test(words)
export const isEach = (words: string): boolean => EACH.test(words)

/** The amounts that the words state of these series. */
export function statedSum(ids: readonly string[], { spans, series }: Reading, words: string): Sum {
  const placed = ids.map((id): Placed => {
    const text = series.find((one) => one.id === id)?.text
    const span = spans.find((one) => one.role === 'title' && one.text === text)
    return span === undefined ? { id } : { id, span }
  })
  const pointed = spans.filter(({ role }) => role.startsWith('ref:'))
  const free = placed.filter(({ span }) => span === undefined)
  const all = placed.map((one) => {
    const at = free.indexOf(one)
    const span = pointed[at]
    return at === -1 || span === undefined ? one : { ...one, span }
  })
  const amounts = amountsOf(words, all)
  return Object.keys(amounts).length === 0 ? { ids } : { ids, amounts }
}

/** The last sum with more series, or with fewer; undefined when the message does neither. */
export function changedSum(
  { sum }: Pick<DialogueState, 'sum'>,
  { meant, words, reading }: { readonly meant: readonly string[]; readonly words: string; readonly reading: Reading },
): Sum | undefined {
  if (sum === undefined || meant.length === 0) return undefined
  const clauses = clausesNaming(words, reading)
  const isRemoved =
    clauses.some((clause) => REMOVED.test(clause)) &&
    meant.every((id) => sum.ids.includes(id)) &&
    meant.length < sum.ids.length
  if (isRemoved)
    return withAmounts(
      sum.ids.filter((id) => !meant.includes(id)),
      sum.amounts,
    )
  const isNew = meant.some((id) => !sum.ids.includes(id))
  if (!isNew || !clauses.some((clause) => ADDED.test(clause))) return undefined
  const ids = [...new Set([...sum.ids, ...meant])].slice(0, SUMMED_MAX)
  return withAmounts(ids, { ...sum.amounts, ...statedSum(meant, reading, words).amounts })
}

/** The clauses that name or point at a series: "leave X out", but not "skip" elsewhere. */
function clausesNaming(words: string, { spans }: Reading): readonly string[] {
  const named = spans.filter(({ role }) => role === 'title' || role.startsWith('ref:'))
  const clauses = words.normalize('NFKC').split(/[.,;:!?、。！？]\s*/u)
  return clauses.filter((clause) => named.some(({ text }) => clause.includes(text)))
}

function withAmounts(ids: readonly string[], amounts: Sum['amounts'] = {}): Sum {
  const own = Object.fromEntries(Object.entries(amounts).filter(([id]) => ids.includes(id)))
  return Object.keys(own).length === 0 ? { ids } : { ids, amounts: own }
}
