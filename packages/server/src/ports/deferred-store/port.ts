// Questions that could not be answered and are kept until a model is back. Each is taken by one node at a time, under a
// lease: a node that dies gives back what it took. Bounded in number, over all and for each principal; a question whose
// time is over stays until someone has told the shopper so.
import type { Language } from '@mangaassist/protocol'
import type { Principal } from '#domain/identity/principal.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'

export interface DeferredQuestion {
  /** The turn that promised an answer; names the question. */
  readonly turnId: string
  readonly sessionId: string
  readonly principal: Principal
  readonly message: string
  readonly language: Language
  /** The network it came from, as admission was given it, where guests are limited by that. */
  readonly network?: string
  readonly at: number
  /** From then on no answer is owed any more, only word of that. */
  readonly expiresAt: number
  /** Of the turn that promised an answer: the turn that gives it links to it. */
  readonly trace?: TraceContext
}

export interface DeferredLimits {
  readonly countMax: number
  readonly perPrincipalMax: number
}

export interface DeferredClaim {
  readonly limit: number
  readonly leaseMs: number
  /** Only those whose time is over: all that can be done while no model is back. */
  readonly onlyExpired: boolean
  /** After some were taken, by whichever node, none are given for so long; those whose time is over alone always are. */
  readonly spacingMs: number
}

export interface DeferredStore {
  /** Whether it is kept now, or was already; not when there is no room. Durable once it resolves. */
  accept(question: DeferredQuestion): Promise<boolean>
  /** Takes those that nobody has, the oldest first. What is not `done` when the lease ends is there again. */
  claim(claim: DeferredClaim): Promise<readonly DeferredQuestion[]>
  /** Forgets it: it was answered, or told to be over. */
  done(turnId: string): Promise<void>
  count(): Promise<number>
  /** What is kept of a principal, the oldest first. */
  ofPrincipal(principalId: string): Promise<readonly DeferredQuestion[]>
}
