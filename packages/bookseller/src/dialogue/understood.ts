// A message as it is understood after the earlier turns, and what that needs.
import type { Language } from '@mangaassist/protocol'
import type { Previous, Reading } from '../understanding/reading.ts'
import type { Recall } from './referring/recall.ts'
import type { DialogueState, Suggestion } from './state.ts'

export type Read = (message: string, context: { readonly previous: Previous; readonly language: Language }) => Reading

/** What a stored turn says. */
export interface PastTurn {
  readonly question: string
  readonly answer: string
  readonly language: Language
  readonly productIds: readonly string[]
  readonly suggestions?: readonly Suggestion[]
  /** The series whose page the shopper was on. */
  readonly page?: { readonly productId?: string }
}

/** What is asked now. */
export interface Asked {
  readonly message: string
  readonly language: Language
  readonly page?: { readonly productId?: string }
  /** Finds what a description means among the series of the conversation. */
  readonly recall?: Recall
}

export interface Understood {
  /** What the message says; after a yes, what the offer says. */
  readonly reading: Reading
  /** The words that were read: the message, or the accepted offer. */
  readonly words: string
  /** The state with this message. */
  readonly state: DialogueState
  /** The state before this message. */
  readonly before: DialogueState
  /** The sentences of a message that has several, each read by itself. */
  readonly sentences?: readonly Sentence[]
  /** The message puts right what was taken to be meant before. */
  readonly isCorrected?: true
  /** The message protests against the last answer. */
  readonly isProtest?: true
}

export interface Sentence {
  readonly words: string
  readonly reading: Reading
}
