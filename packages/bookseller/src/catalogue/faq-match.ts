// What an index of the FAQ returns.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry } from './catalogue.ts'

export interface FaqIndex {
  /** The entry that answers a message; undefined when none matches well enough. */
  match(message: string, language: Language): FaqMatch | undefined
}

export interface FaqMatch {
  readonly entry: FaqEntry
  /** Hardly another entry can be meant, if the message asks the shop at all. */
  readonly sure: boolean
  /** From 0 to 1: how likely it is this entry, if it is one. */
  readonly probability: number
}
