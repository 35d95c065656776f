// The records that the turn log stores of a turn, in the terms of the domain. The start is all that another node needs to
// finish the turn; the outcome is all that settlement needs; the end is what the shopper's `done` frame says.
import type {
  AnswerTier,
  DoneFrame,
  FinishReason,
  Language,
  MetaFrame,
  PageContext,
  Source,
  Suggestion,
  Usage,
} from '@mangaassist/protocol'
import type { ModelMessage } from '../model/model-message.ts'
import type { VendorFault } from '../model/vendor-fault.ts'
import type { Deadlines } from './deadline.ts'
import type { Principal } from '../identity/principal.ts'
import type { Place } from '../queue/fair-queue.ts'
import type { Hold } from '../budget/quota.ts'
import type { RecordedRoute } from '../routing/route-choice.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'
import type { CallBeginning, TurnStory } from './turn-story.ts'

/** By which door a question came; it decides the deadlines, and nothing else. */
export type DoorKind = 'stream' | 'rest' | 'v1'

/** A prompt taken as it is, and the models that may answer it, in their order. */
export interface CompletionPrompt {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly models: readonly string[]
  readonly temperature?: number
  /** The caller gets the answer in one piece: nothing of it is shown before it is whole. */
  readonly inOnePiece?: true
}

/** The origin of a deferred question, which is answered when a model is available again. */
export interface DeferredFrom {
  /** The turn that promised the answer. */
  readonly turnId: string
  /** It is too late for an answer: the turn says so, and asks no model. */
  readonly isOver: boolean
}

/** What is used up or full, where a question is answered without a model. */
export type FreeReason = 'allowance' | 'queue-full'

/** What the start of every kind of turn says. */
export interface StartFields {
  readonly turnId: string
  readonly requestId: string
  readonly principal: Principal
  readonly sessionId: string
  /** The version of the conversation when the question was asked. */
  readonly sessionVersion: number
  readonly route: DoorKind
  readonly message: string
  /** The language of the answer: the one asked for, else that of the message until the conversation is read. */
  readonly language: Language
  /** The language that the shopper asked for explicitly. */
  readonly languageWish?: Language
  /** The language of the page around the chat. */
  readonly interfaceLanguage?: Language
  /** The page on which it was asked. */
  readonly page?: PageContext
  /** The turn of the conversation in whose place this one is asked. */
  readonly replaces?: string
  /** The shown text of that turn, if this one continues it: the first text of its log. */
  readonly continued?: string
  readonly acceptedAt: number
  readonly deadlines: Deadlines
  readonly hold: Hold
  /** The hold on the account of the guest's network address. */
  readonly networkHold?: Hold
  /** The account of the surrounding /48, if that is limited too. */
  readonly wideNetwork?: string
  /**
   * Set when the session store was unavailable at admission: a `new` session could not be created, or the owner of an existing one
   * could not be checked (`unchecked`). Then nothing is read from it, and nothing is written to it before the owner is known.
   */
  readonly unsaved?: 'new' | 'unchecked'
  /** The first turn of a conversation that was created while the log was opened: whether that succeeded, only the first owner knows. */
  readonly beginsSession?: true
  /** The connection that asked: one connection writes a conversation at a time, and the others are notified. */
  readonly writer?: string
  readonly deferredFrom?: DeferredFrom
  /** Admitted with a hold of nothing, because this is used up or full: the catalogue or the FAQ answers it surely. */
  readonly free?: FreeReason
  /** How long the idempotency claim outlives the turn; absent when its end does not matter. */
  readonly claimAfterEndMs?: number
  /** Trace of the scope in which the turn was admitted; a takeover links to it. Older records have none. */
  readonly trace?: TraceContext
}

/** A shopper's question, as part of a conversation. */
export interface ChatStart extends StartFields {
  readonly kind: 'chat'
}

/** A prompt of the caller's own, which a model answers as it is. */
export interface CompletionStart extends StartFields {
  readonly kind: 'completion'
  readonly completion: CompletionPrompt
}

/** A row of `turn-policy.ts` says what each kind may do; routing decides what is sent to a model for it. */
export type TurnStart = ChatStart | CompletionStart
export type TurnKind = TurnStart['kind']

export type TurnMeta = Omit<MetaFrame, 'type' | 'turnId'>

/** The estimated tokens of the parts of a prompt before it was sent. */
export interface PromptEstimate {
  readonly system: number
  readonly retrieval: number
  readonly history: number
  readonly message: number
  /** The whole prompt, including what each message costs in addition to its text. */
  readonly total: number
}

/** The outcome of a call during which the deadline of its turn passed: where it had begun to write, the model neither failed nor was silent. */
export const DEADLINE_PASSED = 'deadline'

/** A call of a model that reached it, or may have: its usage is charged. */
export interface AttemptRecord {
  readonly attempt: number
  readonly model: string
  readonly tier: AnswerTier
  readonly usage: Usage
  /** The input tokens that the provider read from its prompt cache, if reported. */
  readonly cacheReadTokens?: number
  /** The input tokens that the provider wrote to its prompt cache, if reported. */
  readonly cacheWriteTokens?: number
  readonly estimate?: PromptEstimate
  /** The version of our system prompt that was sent; absent for a prompt of the caller's own. */
  readonly prompt?: string
  readonly costMicroUsd: number
  readonly outcome: string
  /** The model's name in the configuration, which logs and metrics use; absent in older records. */
  readonly name?: string
  /** When the call began; absent in older records, and in those of calls whose owner was lost. */
  readonly startedAt?: number
  /** From the beginning of the call to its first text; absent without text. */
  readonly firstWordMs?: number
  /** How long the call took. */
  readonly tookMs?: number
  /** The part of the output that was reasoning, by our count; absent without reasoning. */
  readonly reasoningTokens?: number
  /** What the vendor or the network said when the call failed. */
  readonly fault?: VendorFault
  /** How it came about; absent in older records. */
  readonly began?: CallBeginning
  /**
   * A call that was left for another model, or lost to it: its prompt and a usual answer are booked to the shop, because whether a vendor bills a
   * stopped call in full is not known. The shopper's allowance pays for one call.
   */
  readonly paidBy?: 'shop'
}

/** The start of a model call: enough to estimate its usage if its owner dies before it ends. */
export interface AttemptStart {
  readonly attempt: number
  readonly model: string
  readonly tier: AnswerTier
  readonly estimatedInputTokens: number
  readonly estimate?: PromptEstimate
  readonly prompt?: string
  /** The model's name in the configuration; absent in older records. */
  readonly name?: string
  /** The position in the answer where its text begins, in UTF-16 units. */
  readonly offset: number
  /** It was started as a hedge: the slower attempt beside it is still running. */
  readonly isHedge?: true
  /** How it came about; absent in older records. */
  readonly began?: CallBeginning
  /** When it began; absent in older records. */
  readonly startedAt?: number
}

/** The state that the trimmed records of a log amount to. */
export interface TurnSnapshot {
  readonly text: string
  readonly meta?: TurnMeta
  readonly route?: RecordedRoute
  readonly attempts: readonly AttemptRecord[]
  /** The attempt that had started and not ended. */
  readonly underWay?: AttemptStart
  /** The hedge beside it that had started and not ended. */
  readonly hedge?: AttemptStart
}

/** A claim of the answer that the store contradicts. */
export interface AnswerMismatch {
  readonly kind: 'title' | 'price' | 'volumes' | 'stock' | 'status'
  /** Absent for a title that the store does not have. */
  readonly productId?: string
}

export interface TurnOutcome extends RecordedRoute {
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  readonly model: string
  readonly length: number
  readonly sha256: string
  readonly attempts: readonly AttemptRecord[]
  readonly productIds: readonly string[]
  /** Follow-ups that were offered; the first is what "yes" means. */
  readonly suggestions?: readonly Suggestion[]
  /** What the answer was made from. */
  readonly sources?: readonly Source[]
  /** As in the answer's `meta`: how to reach a person of the shop. */
  readonly contact?: string
  /** The language of the answer: the start has only what the message alone tells. Absent in older records. */
  readonly language?: Language
  /** Absent when there are none. */
  readonly mismatches?: readonly AnswerMismatch[]
  /** Below the first choice of its route. */
  readonly isDegraded?: boolean
  /** As in the answer's `meta`: why the answer is degraded, and what it was made without. */
  readonly reason?: string
  /** The configured name of the model that answered; absent where no model did, and in older records. */
  readonly modelName?: string
  /** What was not there in time; absent when nothing is missing. */
  readonly missing?: readonly string[]
  /** How long the turn waited in queues of lanes; absent when it did not. */
  readonly queuedMs?: number
  /** What operators want to know besides; absent in older records, and where the owner was lost. */
  readonly story?: TurnStory
  /** In how many pieces the text came from what answered, and in how many writes it was shown; of the last owner. */
  readonly deltas?: number
  readonly frames?: number
  readonly isCached?: boolean
  /** The version of our system prompt that the answer was made with. */
  readonly promptVersion?: string
  readonly firstWordAt: number | null
  readonly endedAt: number
  /** Set where the turn's policy says so: the usage of the calls that produced the answer, without other calls. */
  readonly answerUsage?: Usage
  /** The class of the model's error, if the answer is incomplete because of one. */
  readonly failure?: string
  readonly retryAfterMs?: number
}

export type TurnEnd = Omit<DoneFrame, 'type' | 'turnId'>

/** The route of a turn, in the first of these records that its owner writes: an owner that is lost writes no outcome. */
interface WithRoute {
  readonly route?: RecordedRoute
}

/** The records that follow the start in a turn's log. */
export type TurnEntry =
  | ({ readonly kind: 'meta'; readonly meta: TurnMeta } & WithRoute)
  /** `offset` is the position of the text in the answer, in UTF-16 units. */
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  /** The turn waits in the queue at this position; the latest record counts, until there is text. */
  | { readonly kind: 'queued'; readonly place: Place }
  /** A model call starts: after a takeover the new owner can charge for it. */
  | ({ readonly kind: 'attempt-start'; readonly attempt: AttemptStart } & WithRoute)
  | { readonly kind: 'attempt-end'; readonly record: AttemptRecord }
  /** The text is complete; any node can run the settlement from here. */
  | { readonly kind: 'text-end'; readonly outcome: TurnOutcome }
  /** Settled: nothing follows. */
  | { readonly kind: 'turn-end'; readonly end: TurnEnd }

/** All records of a log. */
export type LogRecordBody =
  | { readonly kind: 'start'; readonly start: TurnStart }
  /** Replaces the records after the start, up to this one. */
  | { readonly kind: 'snapshot'; readonly snapshot: TurnSnapshot }
  | TurnEntry
