// What the answers say of the shop itself: how to reach a person, and the shipping fee that its FAQ states.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry } from '../catalogue/catalogue.ts'

export interface Shop {
  readonly contact: Readonly<Record<Language, string>>
  /** Absent where the FAQ does not state it as two amounts. */
  readonly shipping?: Shipping
}

export interface Shipping {
  readonly feeYen: number
  readonly freeFromYen: number
}

export const NO_SHOP: Shop = { contact: { ja: '/support', en: '/support' } }

export const SHIPPING_ENTRY = 'shipping-fee'
const YEN = /([\d,]+)\s*yen|¥\s*([\d,]+)/giu

export function shopOf(contact: Shop['contact'], faq: readonly FaqEntry[]): Shop {
  const shipping = shippingIn(faq.find(({ id }) => id === SHIPPING_ENTRY))
  return shipping === undefined ? { contact } : { contact, shipping }
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
