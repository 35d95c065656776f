// How many volumes an amount of money buys: "how many could I get for 6000 yen?", 「3000円で何巻買える？」. Exact: an amount of money, or the
// stated budget, beside words for a number of volumes.
import type { Product } from '../../catalogue/catalogue.ts'
import { priceOfVolume } from '../../catalogue/catalogue.ts'
import type { Shipping } from '../shop.ts'
import { moneyIn, BUDGET } from './within.ts'

export interface Afforded {
  readonly product: Product
  /** What may be spent. */
  readonly budget: number
  /** So many volumes from the first on. */
  readonly count: number
  readonly yen: number
  readonly left: number
  /** What shipping costs, where it is part of what may be spent; 0 when it is free. */
  readonly feeYen?: number
}

const HOW_MANY =
  /何(?:巻|冊)|どこまで|いくつまで|買えるだけ|なん(?:かん|さつ)|\bhow (?:many|far)\b|\bas (?:many|much) as\b|\bwhat (?:part|volumes) (?:of|can|could)\b/iu
const BUYS =
  /買|揃|そろ|手に入|いけ|足り|まで|\b(?:buy|get|afford|fit|cover|pick up|order|purchase|within|budget|take|have)\b/iu
const WITH_SHIPPING =
  /送料(?:込|も?含|を含|入れ|も入|こみ)|\b(?:includ\w*|with|counting|after|plus)\b[^.?!]{0,14}\b(?:shipping|postage|delivery)\b|\b(?:shipping|postage|delivery) included\b/iu

export interface Affording {
  readonly budget: number
  readonly isShipped?: true
}

/** `standing` is the budget that was stated before, which the words may mean. */
export function affordingIn(words: string, standing: number | undefined): Affording | undefined {
  const text = words.normalize('NFKC')
  if (!HOW_MANY.test(text) || !BUYS.test(text)) return undefined
  const budget = moneyIn(text) ?? (BUDGET.test(text) ? standing : undefined)
  if (budget === undefined) return undefined
  return WITH_SHIPPING.test(text) ? { budget, isShipped: true } : { budget }
}

/** The most volumes that cost no more, shipping included where that is asked. */
export function affordedOf(
  product: Product,
  { budget, isShipped }: Affording,
  shipping: Shipping | undefined,
): Afforded {
  const feeOn = (yen: number) =>
    isShipped !== true || shipping === undefined || yen >= shipping.freeFromYen ? 0 : shipping.feeYen
  let best = { count: 0, yen: 0 }
  let yen = 0
  for (let volume = 1; volume <= product.volumes; volume += 1) {
    yen += priceOfVolume(product, volume) ?? 0
    // More volumes may ship free and fit, though fewer do not.
    if (yen + feeOn(yen) <= budget) best = { count: volume, yen }
    if (yen > budget) break
  }
  const fee = best.count === 0 ? 0 : feeOn(best.yen)
  const spent = { product, budget, ...best, left: budget - best.yen - fee }
  return isShipped === true && shipping !== undefined ? { ...spent, feeYen: fee } : spent
}
