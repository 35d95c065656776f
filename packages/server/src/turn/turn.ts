// What each stage hands to the next: immutable, richer at every step, its type the proof of what was done.
// edge → Received → admission → Admitted → context → Grounded → routing → Routed → invocation ⇒ parts → delivery → Delivered → settlement
import type { AnswerTier, FinishReason, Language, Usage } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import type { NotShared } from '#domain/answers/shareable.ts'
import type { Price } from '#domain/budget/money.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { TurnPolicy } from '#domain/turn/turn-policy.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import type { CeilingReached } from '#domain/budget/spend.ts'
import type { Place } from '#domain/queue/fair-queue.ts'
import type {
  AttemptRecord,
  AttemptStart,
  DeferredFrom,
  PromptEstimate,
  Route,
  TurnMeta,
  TurnOutcome,
  TurnStart,
} from '#domain/turn/turn-record.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Model, ModelMessage } from '#ports/model/port.ts'
import type { Scope } from '#ports/telemetry/port.ts'
import type { StoredSummary, StoredTurn } from '#ports/session-store/port.ts'

/** A question as it came in, from a caller whose identity is proved; its content is not yet looked at. */
export interface Received {
  readonly principal: Principal
  readonly requestId: string
  readonly route: Route
  readonly message: string
  readonly sessionId?: string
  readonly language?: Language
  readonly maxTokens?: number
  readonly idempotencyKey?: string
  /** Which sending of its key it is, by the sender's own count: 1 for the first. */
  readonly attempt?: number
  readonly baseVersion?: number
  /** The connection that asks. */
  readonly writer?: string
  /** A pseudonym of the network address it came from, where guests are limited by that. */
  readonly network?: string
  /** Set when nobody asks just now: the question was kept from another turn. */
  readonly deferredFrom?: DeferredFrom
  /** Of the request; admission makes it the turn's. */
  readonly scope: Scope
}

/** A prompt of the caller's own, to be answered by a model and by nothing else. */
export interface CompletionAsked {
  readonly principal: Principal
  readonly requestId: string
  readonly route: Route
  /** A configured name, a vendor's id of a configured model, or `auto`. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxTokens?: number
  readonly temperature?: number
  readonly inOnePiece?: true
  /** Which sending of the same request it is, by the sender's own count: 1 for the first. */
  readonly attempt?: number
  /** A pseudonym of the network address it came from, where guests are limited by that. */
  readonly network?: string
  /** Of the request; admission makes it the turn's. */
  readonly scope: Scope
}

/** Accepted: money is held, the log is open and leased to us at this epoch. */
export interface Admitted {
  readonly start: TurnStart
  /** What this kind of turn may do, and what is done for it. Stages read it, and do not ask which kind it is. */
  readonly policy: TurnPolicy
  readonly epoch: number
  readonly quota: QuotaState
  /** Of the turn: its owner ends it. */
  readonly scope: Scope
  /** Set when another owner had begun the turn and was lost: what the shopper has of it, and what that has cost. */
  readonly begun?: Begun
}

/** What a lost owner left of a turn. */
interface Begun {
  readonly text: string
  readonly meta?: TurnMeta
  readonly attempts: readonly AttemptRecord[]
}

/** Everything the answer may draw on has been gathered, or its absence is known. */
export interface Grounded extends Admitted {
  /** Oldest first; more of it than a prompt holds. */
  readonly history: readonly StoredTurn[]
  /** What the shopper told in it that should outlive the prompt's window, as lines of data, what matters most first. */
  readonly facts: readonly string[]
  /** Of the oldest turns, where one was made. */
  readonly summary?: StoredSummary
  readonly grounding: Grounding
  /** What could not be had in time: the answer is made without it and says so. */
  readonly missing: readonly ('history' | 'retrieval')[]
}

/** A model to ask, in the order of the ladder, with what it may say and what it costs. */
export interface Rung {
  readonly name: string
  readonly tier: AnswerTier
  readonly model: Model
  /** What its calls take their permits of. */
  readonly lane: string
  readonly price: Price
  readonly maxOutputTokens: number
  /** Its own limits of silence, where it has them. */
  readonly limits?: {
    readonly firstTokenMs?: number
    readonly stallMs?: number
    readonly thinkingMs?: number
    readonly thinkingTokensMax?: number
  }
}

/** The prompt is built and the ladder is chosen; nothing has been asked yet. */
export interface Routed extends Grounded {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Absent: the vendor's own. */
  readonly temperature?: number
  readonly estimatedInputTokens: number
  /** The version of the newest turn that the prompt has no room for; 0 when it holds them all. */
  readonly forgottenUpTo: number
  /** The same by part of the prompt; absent where no prompt was made. */
  readonly estimate?: PromptEstimate
  /** What a long message or a nearly used-up budget left no room for, or less than there is. */
  readonly cutShort?: readonly ('history' | 'retrieval')[]
  readonly ladder: readonly Rung[]
  /** The day's ceiling that is reached: no vendor is asked, and only what is free of charge is on the ladder. */
  readonly unpaid?: CeilingReached
  /** The products that the answer may show as cards, best first. */
  readonly productIds: readonly string[]
}

/** What the cache of answers has for a turn. */
export type CacheLookup =
  /** The answer is for the asker alone. */
  | { readonly kind: 'unshared'; readonly why: NotShared }
  | { readonly kind: 'none'; readonly key: string }
  | { readonly kind: 'fresh' | 'stale'; readonly key: string; readonly answer: CachedAnswer }

/** What invocation tells delivery as it goes: where the answer comes from, its text, and whom it asks. */
export type InvocationPart =
  | {
      readonly type: 'source'
      readonly tier: AnswerTier
      readonly model: string
      readonly degraded: boolean
      readonly confidence: number
      readonly reason?: string
      /** It was made for another turn. */
      readonly cached?: true
    }
  /** Everyone who could answer is busy: the question waits in line, at this place. */
  | { readonly type: 'queued'; readonly place: Place }
  | { readonly type: 'text-delta'; readonly text: string }
  /** A model is being called; its text will begin where the answer stands. */
  | { readonly type: 'attempt-start'; readonly attempt: Omit<AttemptStart, 'offset'> }
  /** It ended, and the turn goes on without it; beside another that goes on, nothing of the answer is broken off. */
  | { readonly type: 'attempt-end'; readonly record: AttemptRecord; readonly isBeside?: true }

export interface InvocationEnd {
  readonly finishReason: FinishReason
  readonly attempts: readonly AttemptRecord[]
  /** Where the policy says so: what the answer took, without the calls that it does not come from. */
  readonly answerUsage?: Usage
  /** Why the answer is not whole. */
  readonly failure?: string
  /** When it may be worth asking again, as the provider or the lane says. */
  readonly retryAfterMs?: number
}

/** Asks for an answer and tells it to `emit` as it comes, in order. */
export type Invocation = (emit: (part: InvocationPart) => void) => Promise<InvocationEnd>

/** The text is complete and in the log; what is left is to settle. */
export interface Delivered {
  readonly start: TurnStart
  readonly policy: TurnPolicy
  readonly epoch: number
  readonly text: string
  readonly outcome: TurnOutcome
  readonly scope: Scope
}
