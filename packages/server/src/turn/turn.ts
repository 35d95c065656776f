// The values that each stage gives to the next: immutable, larger at every step; the type of each proves what was done.
// edge → Received → admission → Admitted → context → Grounded → routing → Routed → invocation ⇒ parts → delivery → Delivered → settlement
import type { AnswerTier, FinishReason, Language, PageContext, Usage } from '@mangaassist/protocol'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import type { ShownWith } from '#domain/answers/shown-with.ts'
import type { NotShared } from '#domain/answers/shareable.ts'
import type { Price } from '#domain/budget/money.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { TurnPolicy } from '#domain/turn/turn-policy.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import type { CeilingReached } from '#domain/budget/spend.ts'
import type { Place } from '#domain/queue/fair-queue.ts'
import type { ArmChange } from '#domain/experiments/experiment-settings.ts'
import type { Exposure } from '#domain/experiments/exposure.ts'
import type { Escalation, TurnRouting, WeighedQuestion } from '#domain/routing/route-choice.ts'
import type {
  AttemptRecord,
  AttemptStart,
  DeferredFrom,
  PromptEstimate,
  DoorKind,
  TurnMeta,
  TurnOutcome,
  TurnStart,
} from '#domain/turn/log-records.ts'
import type { EstimateBy, PassedModel, StageTimes } from '#domain/turn/turn-story.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Model, ModelMessage } from '#ports/model/port.ts'
import type { Scope } from '#ports/telemetry/port.ts'
import type { StoredSummary, StoredTurn } from '#ports/session-store/port.ts'

/** A question as it arrived, from a caller whose identity is verified; its content is not checked yet. */
export interface Received {
  readonly principal: Principal
  readonly requestId: string
  readonly route: DoorKind
  readonly message: string
  readonly sessionId?: string
  readonly language?: Language
  readonly interfaceLanguage?: Language
  readonly page?: PageContext
  readonly maxTokens?: number
  readonly idempotencyKey?: string
  /** The sender's count of how often it sent this key: 1 for the first. */
  readonly attempt?: number
  readonly baseVersion?: number
  /** The turn in whose place it is asked. */
  readonly replaces?: string
  /** The turn whose answer is to be continued. */
  readonly continues?: string
  /** The connection that sent it. */
  readonly writer?: string
  /** A pseudonym of the network address, where guests are limited by it. */
  readonly network?: string
  /** Set when the question was deferred by another turn. */
  readonly deferredFrom?: DeferredFrom
  /** Scope of the request; admission makes it the turn's. */
  readonly scope: Scope
}

/** A question that may be answered without a model where a budget is used up or the queue is full. */
export interface FreeQuestion extends Pick<Received, 'interfaceLanguage' | 'page'> {
  readonly message: string
  readonly language: Language
  /** Its conversation; absent for a first question. */
  readonly sessionId?: string
}

/** A caller's own prompt, to be answered by a model and by nothing else. */
export interface CompletionAsked {
  readonly principal: Principal
  readonly requestId: string
  readonly route: DoorKind
  /** A configured name, a vendor's id of a configured model, or `auto`. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxTokens?: number
  readonly temperature?: number
  readonly inOnePiece?: true
  /** The sender's count of how often it sent this request: 1 for the first. */
  readonly attempt?: number
  /** A pseudonym of the network address, where guests are limited by it. */
  readonly network?: string
  /** Scope of the request; admission makes it the turn's. */
  readonly scope: Scope
}

/** Admitted: money is held, the log is open and leased to this node at this epoch. */
export interface Admitted {
  readonly start: TurnStart
  /** What this kind of turn may do, and what is done for it. Stages read it, and do not ask which kind it is. */
  readonly policy: TurnPolicy
  readonly epoch: number
  readonly quota: QuotaState
  /** Scope of the turn: its owner ends it. */
  readonly scope: Scope
  /** Set after a takeover, and for a continued answer: the shown text, and what it has cost. */
  readonly begun?: Begun
}

/** What a lost owner left of a turn, or the answer that this one continues. */
export interface Begun {
  readonly text: string
  /** The text is not in this turn's log yet: it was shown as the answer of the turn that is continued. */
  readonly isUnlogged?: true
  readonly meta?: TurnMeta
  readonly attempts: readonly AttemptRecord[]
}

/** Everything the answer may use has been gathered, or is known to be missing. */
export interface Grounded extends Admitted {
  /** Oldest first; more than a prompt holds. */
  readonly history: readonly StoredTurn[]
  /** The shopper's stated facts that outlive the prompt's window, as lines of data, most important first. */
  readonly facts: readonly string[]
  /** Summary of the oldest turns, if there is one. */
  readonly summary?: StoredSummary
  readonly grounding: Grounding
  /** What was not available in time: the answer is made without it and says so. */
  readonly missing: readonly ('history' | 'retrieval')[]
  /** The arms of the running experiments that the user is in; absent while none runs. */
  readonly arms?: AssignedArms
  /** Why the answer before did not serve, as far as it is known. */
  readonly escalation?: Escalation
}

/** A user's arms, and what they change together. */
export interface AssignedArms {
  /** Who is assigned: the user, or the guest that the user was first seen as. */
  readonly unit: string
  readonly exposures: readonly Exposure[]
  readonly change: ArmChange
}

/** A model of the ladder, with its output limit and price. */
export interface Rung {
  readonly name: string
  readonly tier: AnswerTier
  readonly model: Model
  /** Id of the lane whose permits its calls need. */
  readonly lane: string
  readonly price: Price
  readonly maxOutputTokens: number
  /** Its own timeouts, if it has any. */
  readonly limits?: {
    readonly firstTokenMs?: number
    readonly stallMs?: number
    readonly thinkingMs?: number
    readonly thinkingTokensMax?: number
  }
}

/** The order in which a turn's models are asked, as far as the configuration and its arms decide it. */
export interface RoutePlan {
  /** Names of models, whatever the time, the budget and the lanes: cached answers are found by it. */
  readonly order: readonly string[]
  /** The models whose answer is not degraded: the first choice and those above it. Absent: the ladder's first. */
  readonly notBelow?: readonly string[]
  /** Each arm has cached answers of its own. */
  readonly arms: readonly Exposure[]
  /** The arm's longest answer, which is part of its cached answers too. */
  readonly outputTokensMax?: number
  /** The responder answers before any model is asked. */
  readonly isAlone?: true
}

/** The prompt is built and the ladder is chosen; nothing has been asked yet. */
export interface Routed extends Grounded {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Absent: the vendor's own. */
  readonly temperature?: number
  /** The version of our system prompt; absent for a prompt of the caller's own. */
  readonly promptVersion?: string
  readonly estimatedInputTokens: number
  /** The version of the newest turn that the prompt has no room for; 0 when it has them all. */
  readonly forgottenUpTo: number
  /** The estimate by part of the prompt; absent where no prompt was built. */
  readonly estimate?: PromptEstimate
  /** How it was made, for the first model of the ladder; absent for the built-in responder. */
  readonly estimateBy?: EstimateBy
  /** The parts that a long message or a nearly used-up budget left out or shortened. */
  readonly cutShort?: readonly ('history' | 'retrieval')[]
  readonly ladder: readonly Rung[]
  /** Absent while routing is off and no experiment runs. */
  readonly routing?: TurnRouting
  readonly plan?: RoutePlan
  /** Absent for a prompt of the caller's own. */
  readonly weighed?: WeighedQuestion
  /**
   * Why no vendor is asked: the ceiling of the day that is reached, which leaves the free models on the ladder; or the reduced mode, which leaves
   * the built-in responder.
   */
  readonly unpaid?: CeilingReached | 'reduced'
  /** The products that the answer may show as cards, best first. */
  readonly productIds: readonly string[]
  /** The configured name of the model that would be asked first, whatever the hold can pay for. */
  readonly firstChoice?: string
  /** How long the stages before took. */
  readonly times?: StageTimes
}

/** What the cache of answers has for a turn. */
export type CacheLookup =
  /** The answer is for this turn alone. */
  | { readonly kind: 'unshared'; readonly why: NotShared }
  | { readonly kind: 'none'; readonly key: string }
  | { readonly kind: 'fresh' | 'stale'; readonly key: string; readonly answer: CachedAnswer }

/** Where the text that follows comes from. */
export interface AnswerSource {
  readonly type: 'source'
  readonly tier: AnswerTier
  readonly model: string
  /** The model's name in the configuration; absent where no model answers. */
  readonly name?: string
  readonly degraded: boolean
  readonly confidence: number
  readonly reason?: string
  /** The answer was made for another turn. */
  readonly cached?: true
  /** What is shown with an answer that was not made from this turn's grounding. */
  readonly shownWith?: ShownWith
}

/** What invocation yields to delivery: the source of the answer, its text, and the calls. */
export type InvocationPart =
  | AnswerSource
  /** Every model that could answer is busy: the turn waits in the queue at this position. */
  | { readonly type: 'queued'; readonly place: Place }
  /** The model of this source thinks before its first text. */
  | { readonly type: 'thinking'; readonly source: AnswerSource }
  | { readonly type: 'text-delta'; readonly text: string }
  /** A model call begins; its text will start at the answer's current length. */
  | { readonly type: 'attempt-start'; readonly attempt: Omit<AttemptStart, 'offset'> }
  /** The call ended and the turn continues without it; beside a running call the answer is not interrupted. */
  | { readonly type: 'attempt-end'; readonly record: AttemptRecord; readonly isBeside?: true }

export interface InvocationEnd {
  readonly finishReason: FinishReason
  readonly attempts: readonly AttemptRecord[]
  /** The models that gave no answer, and why; absent when there are none. */
  readonly passed?: readonly PassedModel[]
  /** Set where the policy says so: the usage of the calls that produced the answer, without other calls. */
  readonly answerUsage?: Usage
  /** Why the answer is not complete. */
  readonly failure?: string
  /** When a retry may succeed, by the provider or the lane. */
  readonly retryAfterMs?: number
  /** How long it waited in queues of lanes, if it did. */
  readonly queuedMs?: number
}

/** Asks for an answer and passes its parts to `emit`, in order. */
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
