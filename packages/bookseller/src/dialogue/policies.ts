// Which entry of the FAQ states the shop's policy for an intent, and how much of it is said. A shop that has no such entry is
// quoted without one.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry } from '../catalogue/catalogue.ts'
import { withSupportLinks } from '../wording/link.ts'
import type { Intent, OrderTopic } from './intent.ts'
import type { Grievance } from '../understanding/reading.ts'
import { sentencesOf, unlinked } from './said.ts'
import type { Said } from './said.ts'

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

/** What is said of a policy: briefly at first, all of it when it is asked for again. */
export interface Policy {
  readonly text: string
  /** What earlier answers have said of it. */
  readonly before: 'nothing' | 'brief' | 'all'
}

export function policySaid(entry: FaqEntry, language: Language, said: Said): Policy {
  const whole = withSupportLinks(entry.answer[language])
  const brief = withSupportLinks((entry.brief ?? entry.answer)[language])
  if (!wasSaid(said, brief)) return { text: brief, before: 'nothing' }
  return { text: whole, before: wasSaid(said, whole) ? 'all' : 'brief' }
}

function wasSaid(said: Said, text: string): boolean {
  const plain = unlinked(withoutYes(text)).toLowerCase()
  return said.some((answer) => answer.toLowerCase().includes(plain))
}

/** The text of a policy inside another answer: without its own apology and its own "yes". */
export function policyInside({ text }: Policy, language: Language): string {
  const sentences = sentencesOf(withoutYes(text)).filter((sentence) => !APOLOGY.test(sentence))
  return sentences.join(language === 'ja' ? '' : ' ')
}

const APOLOGY = /申し訳ございません。|^We are (?:very )?sorry[^,]*\.$/u

function withoutYes(text: string): string {
  const rest = text.replace(/^(?:はい、|Yes[,:] )/u, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}
