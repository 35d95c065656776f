// What the answers say of the shop itself: how to reach a person, and the shipping fee and the points that its FAQ states.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry } from '../catalogue/catalogue.ts'

export interface Shop {
  readonly contact: Readonly<Record<Language, string>>
  /** Absent where the FAQ does not state it as two amounts. */
  readonly shipping?: Shipping
  /** How much of a purchase comes back in points; absent where the FAQ states no single percentage. */
  readonly pointsPercent?: number
}

export interface Shipping {
  readonly feeYen: number
  readonly freeFromYen: number
}

export const NO_SHOP: Shop = { contact: { ja: '/support', en: '/support' } }

/** The entry of the FAQ that tells when a series is in stock again. */
export const STOCK_ENTRY = 'out-of-stock'
export const SHIPPING_ENTRY = 'shipping-fee'
export const POINTS_ENTRY = 'points'
const PERCENT = /(\d+(?:\.\d+)?)\s?%/gu
const YEN = /([\d,]+)\s*yen|¥\s*([\d,]+)/giu

export function shopOf(contact: Shop['contact'], faq: readonly FaqEntry[]): Shop {
  const shipping = shippingIn(faq.find(({ id }) => id === SHIPPING_ENTRY))
  const pointsPercent = percentIn(faq.find(({ id }) => id === POINTS_ENTRY))
  return {
    contact,
    ...(shipping === undefined ? {} : { shipping }),
    ...(pointsPercent === undefined ? {} : { pointsPercent }),
  }
}

function percentIn(entry: FaqEntry | undefined): number | undefined {
  const [percent, ...more] = new Set(
    [...(entry?.answer.en.matchAll(PERCENT) ?? [])].map(([, number]) => Number(number)),
  )
  return more.length > 0 ? undefined : percent
}

/** The smaller of the two amounts is the fee, the larger is where it ends. */
function shippingIn(entry: FaqEntry | undefined): Shipping | undefined {
  const amounts = [...(entry?.answer.en.matchAll(YEN) ?? [])].map(([, a, b]) =>
    Number((a ?? b ?? '').replaceAll(',', '')),
  )
  const [feeYen, freeFromYen, ...more] = [...new Set(amounts)].sort((a, b) => a - b)
  if (feeYen === undefined || freeFromYen === undefined || more.length > 0) return undefined
  return { feeYen, freeFromYen }
}
