// Which sum a question about money asks for.
import type { AskedFact } from '../../understanding/reading.ts'
import type { Intent } from '../intent.ts'
import { referred } from '../referring/referred.ts'
import type { Understood } from '../understood.ts'
import type { Sum } from './amounts.ts'
import { isEach, isOfTwo, isTogether, statedSum, SUMMED_MAX } from './summing.ts'

/** "And only volumes 1 to 6?" after a price. */
export function partOfSum({ reading, before, words }: Understood, meant: readonly string[]): Sum | undefined {
  const ids = meant.length > 0 ? meant : before.focus
  const isWish = reading.want.length + reading.avoid.length > 0 || reading.act === 'find' || reading.plot !== ''
  if (before.sum === undefined || ids.length !== 1 || isWish || !before.sum.ids.includes(ids[0] ?? '')) return undefined
  const stated = statedSum(ids, reading, words)
  const amount = stated.amounts?.[ids[0] ?? '']
  const isPart = amount?.copies !== undefined || (amount?.from !== undefined && amount.to !== amount.from)
  return isPart && /[?？]|いくら/u.test(words) ? stated : undefined
}

/** A question about money that is more than the price of one complete series. */
export function sumAsked(
  { reading, state, before, words }: Understood,
  ids: readonly string[],
  facts: readonly AskedFact[],
): Intent | undefined {
  if (!facts.includes('total') && !facts.includes('price')) return undefined
  const isNamed = reading.series.length + reading.referents.length > 0
  if (isTogether(words) && !isNamed && state.focus.length < 2) {
    if (before.sum !== undefined && before.sum.ids.length > 1) return { kind: 'sum', ...before.sum }
    const both = referred(
      { series: [], referents: [isOfTwo(words) || state.talked.length > 1 ? 'both' : 'all'] },
      before,
    )
    if (both.length > 1) return { kind: 'sum', ids: both }
  }
  const [only] = ids
  // "…together with X": with what is talked about.
  if (ids.length === 1 && isNamed && isTogether(words) && only !== undefined) {
    const others = (before.sum?.ids ?? before.focus).filter((id) => id !== only)
    if (others.length > 0) return { kind: 'sum', ...before.sum, ids: [...others, only].slice(0, SUMMED_MAX) }
  }
  const stated = statedSum(ids, reading, words)
  const amount = stated.amounts?.[ids[0] ?? '']
  const isOneVolume =
    ids.length === 1 && amount?.from !== undefined && amount.from === amount.to && amount.copies === undefined
  if (ids.length === 1) return stated.amounts === undefined || isOneVolume ? undefined : { kind: 'sum', ...stated }
  const isAll = reading.referents.includes('all') && !isTogether(words)
  const isMeant = isNamed || isTogether(words) || state.focus.length > 1
  return isEach(words) || !isMeant || isAll ? undefined : { kind: 'sum', ...stated }
}
