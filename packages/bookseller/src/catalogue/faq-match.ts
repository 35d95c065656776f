// What an index of the FAQ returns.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry } from './catalogue.ts'

export interface FaqIndex {
  /** The entry that answers a message; undefined when none matches well enough. */
  match(message: string, language: Language): FaqMatch | undefined
}

export interface FaqMatch {
  readonly entry: FaqEntry
  /** The score is so high that hardly anything else can be meant. */
  readonly sure: boolean
}
