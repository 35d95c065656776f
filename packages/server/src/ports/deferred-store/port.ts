// Questions that could not be answered and are stored until a model is available. One node at a time has a question, under
// a lease that ends when the node dies. Bounded in number, in total and for each principal; an expired question stays until
// the shopper was notified.
import type { Language, PageContext } from '@mangaassist/protocol'
import type { Principal } from '#domain/identity/principal.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'

export interface DeferredQuestion {
  /** The turn that promised an answer; the id of the question. */
  readonly turnId: string
  readonly sessionId: string
  readonly principal: Principal
  readonly message: string
  readonly language: Language
  readonly interfaceLanguage?: Language
  readonly page?: PageContext
  /** The network of the caller, as admission got it, where guests are limited by network. */
  readonly network?: string
  readonly at: number
  /** After this no answer is owed, only a notice. */
  readonly expiresAt: number
  /** Trace of the turn that promised an answer: the answering turn links to it. */
  readonly trace?: TraceContext
}

export interface DeferredLimits {
  readonly countMax: number
  readonly perPrincipalMax: number
}

export interface DeferredClaim {
  readonly limit: number
  readonly leaseMs: number
  /** Expired questions, which need no model, the longest expired first; else only those that are still owed an answer, newest first. */
  readonly expired: boolean
  /** After a claim by any node, none are returned for this long; expired ones always are. */
  readonly spacingMs: number
}

export interface DeferredStore {
  /** Returns whether the question is stored; false when there is no room. Durable when it resolves. */
  accept(question: DeferredQuestion): Promise<boolean>
  /** Leases unclaimed questions. A question that is not `done` when the lease ends can be claimed again. */
  claim(claim: DeferredClaim): Promise<readonly DeferredQuestion[]>
  /** Removes a question that was answered, or whose expiry was reported. */
  done(turnId: string): Promise<void>
  count(): Promise<number>
  /** The stored questions of a principal, oldest first. */
  ofPrincipal(principalId: string): Promise<readonly DeferredQuestion[]>
}
