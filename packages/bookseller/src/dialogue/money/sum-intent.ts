// Which sum a question about money asks for.
import type { Act, AskedFact } from '../../understanding/reading.ts'
import type { Intent } from '../intent.ts'
import { referred } from '../referring/referred.ts'
import type { Understood } from '../understood.ts'
import { SHIPPING_ENTRY } from '../shop.ts'
import { affordingIn } from './affording.ts'
import type { Sum } from './amounts.ts'
import { withinIn } from './within.ts'
import { isEach, isOfTwo, isTogether, statedSum, SUMMED_MAX } from './summing.ts'

/** "And only volumes 1 to 6?" after a price. */
export function partOfSum({ reading, before, words }: Understood, meant: readonly string[]): Sum | undefined {
  const ids = meant.length > 0 ? meant : before.focus
  const isWish = reading.want.length + reading.avoid.length > 0 || reading.act === 'find' || reading.plot !== ''
  if (before.sum === undefined || ids.length !== 1 || isWish || !before.sum.ids.includes(ids[0] ?? '')) return undefined
  const stated = statedSum(ids, reading, words)
  const amount = stated.amounts?.[ids[0] ?? '']
  const isPart =
    (amount?.copies ?? amount?.volumes) !== undefined || (amount?.from !== undefined && amount.to !== amount.from)
  const isAsked = /[?？]|いくら/u.test(words) || (ONLY.test(words) && !CHOOSING.has(reading.act))
  return isPart && isAsked ? stated : undefined
}

/** Only a part is meant. */
const ONLY = /だけ|のみ|\b(?:only|just)\b/iu
const CHOOSING: ReadonlySet<Act> = new Set(['choose', 'buy'])

/** A question about money that is more than the price of one complete series. */
export function sumAsked(
  { reading, state, before, words }: Understood,
  ids: readonly string[],
  facts: readonly AskedFact[],
): Intent | undefined {
  if ((!facts.includes('total') && !facts.includes('price')) || COMPARED.test(words)) return undefined
  const isNamed = reading.series.length + reading.referents.length > 0
  const both = together({ reading, state, before, words }, ids)
  if (both !== undefined) return { kind: 'sum', ...both, ...beside(facts) }
  const stated = statedSum(ids, reading, words)
  const amount = stated.amounts?.[ids[0] ?? '']
  const isOneVolume =
    ids.length === 1 && amount?.from !== undefined && amount.from === amount.to && amount.copies === undefined
  if (ids.length === 1)
    return stated.amounts === undefined || isOneVolume ? undefined : { kind: 'sum', ...stated, ...beside(facts) }
  const isAll = reading.referents.includes('all') && !isTogether(words)
  const isMeant = isNamed || isTogether(words) || state.focus.length > 1
  return isEach(words) || !isMeant || isAll ? undefined : { kind: 'sum', ...stated, ...beside(facts) }
}

/** Each is asked for beside the other. */
const COMPARED = /\bcompared?\b|\bversus\b|\bvs\b|比べ|比較/iu

/** Facts that the sum itself answers, or that belong to no single series. */
const OF_SUM: ReadonlySet<AskedFact> = new Set(['total', 'price', 'volumes', 'other'])

/** What else is asked of the same series. */
function beside(facts: readonly AskedFact[]): { readonly facts?: readonly AskedFact[] } {
  const others = facts.filter((fact) => !OF_SUM.has(fact))
  return others.length === 0 ? {} : { facts: others }
}

/** The series that "together" means, where the words name one of them or none. */
function together({ reading, state, before, words }: Understood, ids: readonly string[]): Sum | undefined {
  if (!isTogether(words)) return undefined
  const isNamed = reading.series.length + reading.referents.length > 0
  const [only, ...more] = ids
  if (!isNamed && state.focus.length < 2) {
    if (before.sum !== undefined && before.sum.ids.length > 1) return before.sum
    const both = referred(
      { series: [], referents: [isOfTwo(words) || state.talked.length > 1 ? 'both' : 'all'] },
      before,
    )
    return both.length > 1 ? { ids: both } : undefined
  }
  // "…together with X": with what is talked about.
  if (!isNamed || only === undefined || more.length > 0) return undefined
  const others = (before.sum?.ids ?? before.focus).filter((id) => id !== only)
  return others.length === 0 ? undefined : { ...before.sum, ids: [...others, only].slice(0, SUMMED_MAX) }
}

/** "Would 5000 cover it?": the sum of what is meant or talked about, compared with an amount. */
export function sumWithin(understood: Understood, meant: readonly string[]): Intent | undefined {
  const { reading, before, words } = understood
  const within = withinIn(withoutNames(words, reading), before.conditions.limits.totalYenMax)
  if (within === undefined) return undefined
  const ids = meant.length > 0 ? meant : talkedOf(before)
  const sum = together(understood, ids) ?? (ids.length === 0 ? undefined : statedSum(ids, reading, words))
  return sum === undefined ? undefined : { kind: 'sum', ...sum, within }
}

/** The number of 「銀河鉄道999」 is no amount. */
function withoutNames(words: string, { spans, series }: Understood['reading']): string {
  const names = [
    ...spans.filter(({ role }) => role === 'title').map(({ text }) => text),
    ...series.map(({ text }) => text),
  ]
  return names.reduce((rest, name) => (name === '' ? rest : rest.replaceAll(name, ' ')), words.normalize('NFKC'))
}

/** "How many volumes could I get for 6000 yen?": of what is meant, or talked about. */
export function volumesAfforded(
  { before, words }: Pick<Understood, 'before' | 'words'>,
  meant: readonly string[],
): Intent | undefined {
  const affording = affordingIn(words, before.conditions.limits.totalYenMax)
  const ids = meant.length > 0 ? meant : talkedOf(before)
  if (affording === undefined || ids.length === 0) return undefined
  return { kind: 'sum', ids: ids.slice(0, AFFORDED_MAX), affording }
}

const AFFORDED_MAX = 3

const talkedOf = ({ focus, page }: Understood['before']): readonly string[] =>
  focus.length > 0 ? focus : page === undefined ? [] : [page]

/** What shipping costs for an order of series that the message means: their sum, with the fee. */
export function shippedSum(understood: Understood, meant: readonly string[]): Intent | undefined {
  const { reading, words } = understood
  if (reading.faq?.id !== SHIPPING_ENTRY || isEach(words) || !OF_SHIPPING.test(words)) return undefined
  const [only, ...more] = meant.length > 0 ? meant : talkedOf(understood.before)
  const stated = only === undefined ? undefined : statedSum([only, ...more].slice(0, SUMMED_MAX), reading, words)
  const isPart = stated?.amounts !== undefined || WHOLE.test(words) || (meant.length > 0 && ORDERED.test(words))
  const isOne = meant.length > 0 || more.length === 0
  const sum = together(understood, meant) ?? (isPart && isOne ? stated : undefined)
  return sum === undefined ? undefined : { kind: 'sum', ...sum, also: SHIPPING_ENTRY }
}

const OF_SHIPPING = /送料|\b(?:shipping|postage|delivery (?:fee|cost|charge)s?|ship)\b/iu
const ORDERED = /買|注文|頼|合計|いくら|\b(?:buy|order|get|take|total|in all|how much|cost|come to)\b/iu
const WHOLE =
  /全巻|全部|ぜんぶ|\b(?:whole|full|complete|entire) (?:set|series|run|thing)\b|\ball of (?:it|them)\b|\bthe lot\b/iu
