// Which entry of the FAQ states the shop's policy for an intent. A shop that has no such entry is quoted without one.
import type { Intent, OrderTopic } from './intent.ts'
import type { Grievance } from '../understanding/reading.ts'

const ORDERS: Readonly<Record<OrderTopic, string>> = {
  status: 'order-tracking',
  change: 'order-change',
  cancel: 'order-cancel',
  refund: 'returns',
}
const GRIEVANCES: Readonly<Record<Grievance | 'other', string | undefined>> = {
  late: 'late-delivery',
  damaged: 'returns-damaged',
  wrong: 'wrong-or-missing-item',
  missing: 'wrong-or-missing-item',
  charge: 'payment-trouble',
  answer: undefined,
  other: undefined,
}

export function policyOf(intent: Intent): string | undefined {
  switch (intent.kind) {
    case 'faq':
      return intent.id
    case 'order':
      return ORDERS[intent.topic]
    case 'complaint':
      return intent.about ?? GRIEVANCES[intent.grievance]
    case 'person':
      return 'contact-support'
    default:
      return undefined
  }
}

/** What an entry of the FAQ is about, where it needs more than its text: an order, something to be sorry for, a person. */
export type Matter =
  | { readonly kind: 'order'; readonly topic: OrderTopic }
  | { readonly kind: 'complaint'; readonly grievance: Grievance }
  | { readonly kind: 'person' }

const MATTERS: ReadonlyMap<string, Matter> = new Map<string, Matter>([
  ['order-tracking', { kind: 'order', topic: 'status' }],
  ['order-change', { kind: 'order', topic: 'change' }],
  ['order-cancel', { kind: 'order', topic: 'cancel' }],
  ['late-delivery', { kind: 'complaint', grievance: 'late' }],
  ['returns-damaged', { kind: 'complaint', grievance: 'damaged' }],
  ['wrong-or-missing-item', { kind: 'complaint', grievance: 'wrong' }],
  ['payment-trouble', { kind: 'complaint', grievance: 'charge' }],
  ['contact-support', { kind: 'person' }],
])

export const matterOf = (id: string): Matter | undefined => MATTERS.get(id)
