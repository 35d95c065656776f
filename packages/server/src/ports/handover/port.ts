// Calls a person to a conversation in which the assistant could not help. What is sent names the turn, the conversation and its
// language, with a link to it for staff and, only where the shop wants it, what was asked. Nobody waits for it: a call that cannot be made is counted, no more.
import type { Language } from '@mangaassist/protocol'

export interface HandoverCall {
  readonly turnId: string
  readonly sessionId: string
  readonly language: Language
  /** Why the assistant could not help, as the answer's `reason` says it. */
  readonly reason: string
  /** What was asked; left out unless the shop has it sent along. */
  readonly question: string
  /** Where staff read the conversation, for as long as it says. */
  readonly transcript?: { readonly url: string; readonly expiresAt: string }
}

/** `busy`: too many are under way, and nobody was called. */
type HandoverEnd = 'told' | 'gave-up' | 'busy'

export interface Handover {
  /** Whether a call would be taken now. */
  isFree(): boolean
  /** Resolves when someone has taken it or it was given up; never rejects. Repeats of a turn can be told by its id. */
  call(call: HandoverCall): Promise<HandoverEnd>
}
