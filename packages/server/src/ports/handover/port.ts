// Calls a person to a conversation in which the assistant could not help. The call contains the turn, the conversation, its
// language, a link for staff and, only where the shop configures it, the question. Fire and forget: a call that cannot be
// made is only counted.
import type { Language } from '@mangaassist/protocol'

export interface HandoverCall {
  readonly turnId: string
  readonly sessionId: string
  readonly language: Language
  /** Why the assistant could not help: the `reason` of the answer. */
  readonly reason: string
  /** The question; sent only where the shop configures it. */
  readonly question: string
  /** Set when the shopper asked for a person. The receiver recognises repeats by it. */
  readonly handoverId?: string
  /** What the shopper wrote into the request; sent only where the shop configures text. */
  readonly given?: { readonly email?: string; readonly orderNumber?: string; readonly note?: string }
  /** Where staff can read the conversation, and until when. */
  readonly transcript?: { readonly url: string; readonly expiresAt: string }
}

/** `busy`: too many calls are in flight, and this one was not made. */
type HandoverEnd = 'delivered' | 'gave-up' | 'busy'

export interface Handover {
  /** Whether a call could be made now. */
  isFree(): boolean
  /** Resolves when the call was accepted or given up; never rejects. The receiver recognises repeats by the turn's id. */
  call(call: HandoverCall): Promise<HandoverEnd>
}
