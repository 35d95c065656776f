// How well a message matches the FAQ of the shop, whichever entry it is.
import type { FaqMatch } from '../../catalogue/faq-match.ts'

export const FAQ_MATCHES = ['none', 'weak', 'sure'] as const
export type FaqMatched = (typeof FAQ_MATCHES)[number]

export const faqMatched = (match: FaqMatch | undefined): FaqMatched =>
  match === undefined ? 'none' : match.sure ? 'sure' : 'weak'
