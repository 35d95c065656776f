// The state of a conversation: what was shown, what is talked about, and what holds until it is taken back. It is replayed
// from the stored turns, and nothing else is stored.
import type { Language } from '@mangaassist/protocol'
import type { AskedFact, Measure, Previous } from '../understanding/reading.ts'
import { NO_CONDITIONS } from './conditions.ts'
import type { Sum } from './money/amounts.ts'
import type { Conditions } from './conditions.ts'
import type { Said } from './said.ts'

/** A follow-up that the shopper can choose: the message is sent as if it were typed. */
export interface Suggestion {
  readonly label: string
  readonly message: string
}

/** Several series that were shown together, in order, and the words that asked for them. */
export interface ShownList {
  readonly ids: readonly string[]
  /** Folded. */
  readonly words: string
}

export interface DialogueState {
  readonly conditions: Conditions
  /** The series last shown as a list, in order: what "the second one" counts in. */
  readonly list: readonly string[]
  /** The lists that were shown, newest first. */
  readonly shown: readonly ShownList[]
  /** Every series shown, newest first. */
  readonly seen: readonly string[]
  /** The series that are talked about. */
  readonly focus: readonly string[]
  /** The series that were talked about one by one, newest first: what "both of them" means. */
  readonly talked: readonly string[]
  /** Series that the shopper has read or owns. */
  readonly read: readonly string[]
  readonly hated: readonly string[]
  /** A name that was asked for and that the shop does not have. */
  readonly unstocked?: string
  /** Others should differ in this way from those series. */
  readonly compared?: { readonly measures: readonly Measure[]; readonly than: readonly string[] }
  /** The facts that the last answer states: what "and the other one?" asks. */
  readonly asked?: readonly AskedFact[]
  /** What was last added up. */
  readonly sum?: Sum
  /** What "yes" means: the first suggestion of the last answer. */
  readonly offer?: Suggestion
  /** The series whose page the shopper is on. */
  readonly page?: string
  /** The language that the shopper asked to be answered in. */
  readonly agreed?: Language
  /** The language of the last answer. */
  readonly spoken?: Language
  readonly orderId?: string
  /** The entry of the FAQ that the last answer stated. */
  readonly policy?: string
  readonly said: Said
  readonly previous: Previous
  readonly turns: number
}

export const LIST_MAX = 12
export const LISTS_MAX = 8
export const SEEN_MAX = 60
export const TALKED_MAX = 8
export const CONDITIONS_MAX = 12

export const NO_STATE: DialogueState = {
  conditions: NO_CONDITIONS,
  list: [],
  shown: [],
  seen: [],
  focus: [],
  talked: [],
  read: [],
  hated: [],
  said: [],
  previous: 'none',
  turns: 0,
}
