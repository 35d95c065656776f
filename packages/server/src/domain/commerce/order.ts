// An order of the demo order book: what was bought at which price, and when each of its states begins. The states are planned when the
// order is placed, and the time says which one it is in: nothing has to run for an order to be packed or delivered.

export type OrderState = 'placed' | 'packed' | 'shipped' | 'delivered' | 'returned'

export interface OrderLine {
  readonly productId: string
  /** As it was named when it was bought: the catalogue may lose the series. */
  readonly title: { readonly ja: string; readonly en: string }
  readonly volume: number
  readonly quantity: number
  readonly priceYen: number
}

export interface OrderEvent {
  readonly state: OrderState
  readonly at: number
}

export interface Order {
  readonly id: string
  readonly placedAt: number
  readonly lines: readonly OrderLine[]
  readonly itemsYen: number
  readonly shippingYen: number
  readonly totalYen: number
  /** In the order of time, those of the future included. */
  readonly timeline: readonly OrderEvent[]
}

export interface ShippingRule {
  readonly feeYen: number
  /** From this sum on there is no fee. */
  readonly freeFromYen: number
}

const HOUR_MS = 3_600_000
/** As the FAQ says: delivery within Japan takes 3 to 5 days, and the shop packs within one. */
const PLAN: readonly { readonly state: OrderState; readonly afterMs: number }[] = [
  { state: 'placed', afterMs: 0 },
  { state: 'packed', afterMs: 3 * HOUR_MS },
  { state: 'shipped', afterMs: 20 * HOUR_MS },
  { state: 'delivered', afterMs: 76 * HOUR_MS },
]

export function plannedTimeline(placedAt: number): readonly OrderEvent[] {
  return PLAN.map(({ afterMs, state }) => ({ state, at: placedAt + afterMs }))
}

/** The state of an order now. */
export function stateAt({ timeline }: Pick<Order, 'timeline'>, now: number): OrderState {
  return timeline.findLast(({ at }) => at <= now)?.state ?? 'placed'
}

export function shippingYen(itemsYen: number, { feeYen, freeFromYen }: ShippingRule): number {
  return itemsYen === 0 || itemsYen >= freeFromYen ? 0 : feeYen
}
