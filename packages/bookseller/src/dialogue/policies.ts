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
  wrong: undefined,
  missing: undefined,
  charge: undefined,
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
      return GRIEVANCES[intent.grievance]
    case 'person':
      return 'contact-support'
    default:
      return undefined
  }
}
