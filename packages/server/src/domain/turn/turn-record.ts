// What the turn log stores of a turn, in the words of the domain. The start is all that another node needs to finish the turn;
// the outcome is all that settlement needs; the end is what the shopper's `done` frame says.
import type { AnswerTier, DoneFrame, FinishReason, Language, MetaFrame, Usage } from '@mangaassist/protocol'
import type { ModelMessage } from '../model/model-message.ts'
import type { Deadlines } from './deadline.ts'
import type { Principal } from '../identity/principal.ts'
import type { Place } from '../queue/fair-queue.ts'
import type { Hold } from '../budget/quota.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'

/** By which door a question came; it decides the deadlines, and nothing else. */
export type Route = 'stream' | 'rest' | 'v1'

/** A prompt taken as it is, and the models that may answer it, in their order. */
export interface CompletionPrompt {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly models: readonly string[]
  readonly temperature?: number
  /** The caller gets the answer in one piece: nothing of it is shown before it is whole. */
  readonly inOnePiece?: true
}

/** Where a question comes from that was kept for when a model is back. */
export interface DeferredFrom {
  /** The turn that promised the answer. */
  readonly turnId: string
  /** No answer will come any more: the turn says so, and asks no model. */
  readonly isOver: boolean
}

/** What the start of every kind of turn says. */
export interface StartFields {
  readonly turnId: string
  readonly requestId: string
  readonly principal: Principal
  readonly sessionId: string
  /** The version of the conversation that the question was asked at. */
  readonly sessionVersion: number
  readonly route: Route
  readonly message: string
  readonly language: Language
  readonly acceptedAt: number
  readonly deadlines: Deadlines
  readonly hold: Hold
  /** On the account of the network address that a guest came from. */
  readonly networkHold?: Hold
  /** The account of the /48 around it, where that is limited too. */
  readonly wideNetwork?: string
  /**
   * The store of conversations was away: a `new` one could not be begun, or whose it is could not be looked up
   * (`unchecked`): nothing is read from it, and nothing written to it before that is known.
   */
  readonly unsaved?: 'new' | 'unchecked'
  /** The connection that asked: a conversation is written by one at a time, and the others are told. */
  readonly writer?: string
  readonly deferredFrom?: DeferredFrom
  /** How long the idempotency claim outlives the turn; absent when its end does not matter. */
  readonly claimAfterEndMs?: number
  /** Of the scope in which it was admitted; a takeover links to it. Older records have none. */
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

/** What a kind may do is its row in `turn-policy.ts`; what is sent to a model for it is decided in routing. */
export type TurnStart = ChatStart | CompletionStart
export type TurnKind = TurnStart['kind']

export type TurnMeta = Omit<MetaFrame, 'type' | 'turnId'>

/** What the parts of a prompt were estimated to take before it was sent, in tokens. */
export interface PromptEstimate {
  readonly system: number
  readonly retrieval: number
  readonly history: number
  readonly message: number
  /** Of the whole, with what each message costs beside its words. */
  readonly total: number
}

/** One call of a model that reached it, or may have: what it used is paid for. */
export interface AttemptRecord {
  readonly attempt: number
  readonly model: string
  readonly tier: AnswerTier
  readonly usage: Usage
  /** Of the input: what the provider read from its cache of prompts, and what it wrote there, where it says so. */
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly estimate?: PromptEstimate
  readonly costMicroUsd: number
  readonly outcome: string
}

/** A call of a model as it begins: enough to estimate what it used, should nobody live to hear its end. */
export interface AttemptStart {
  readonly attempt: number
  readonly model: string
  readonly tier: AnswerTier
  readonly estimatedInputTokens: number
  readonly estimate?: PromptEstimate
  /** Where in the answer its text begins, in UTF-16 units. */
  readonly offset: number
  /** It was asked beside one that had not spoken yet: the other goes on. */
  readonly isHedge?: true
}

/** What the trimmed records of a log said, taken together. */
export interface TurnSnapshot {
  readonly text: string
  readonly meta?: TurnMeta
  readonly attempts: readonly AttemptRecord[]
  /** The call that had begun and not ended. */
  readonly underWay?: AttemptStart
  /** The call beside it that had begun and not ended. */
  readonly hedge?: AttemptStart
}

export interface TurnOutcome {
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  readonly model: string
  readonly length: number
  readonly sha256: string
  readonly attempts: readonly AttemptRecord[]
  readonly productIds: readonly string[]
  readonly firstWordAt: number | null
  readonly endedAt: number
  /** Where the turn's policy says so: what the answer took, without the calls that it does not come from. */
  readonly answerUsage?: Usage
  /** Why the answer is not whole, as the model's error is classed. */
  readonly failure?: string
  readonly retryAfterMs?: number
}

export type TurnEnd = Omit<DoneFrame, 'type' | 'turnId'>

/** What is added to a turn's log once it has begun. */
export type TurnEntry =
  | { readonly kind: 'meta'; readonly meta: TurnMeta }
  /** `offset` is where the text begins in the answer, in UTF-16 units. */
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  /** The question waits for a model, at this place in line; the last one counts, until there is text. */
  | { readonly kind: 'queued'; readonly place: Place }
  /** A model is being called: whoever has to finish the turn can then account for the call. */
  | { readonly kind: 'attempt-start'; readonly attempt: AttemptStart }
  | { readonly kind: 'attempt-end'; readonly record: AttemptRecord }
  /** The text is complete; what remains is settlement, which anyone can run from here. */
  | { readonly kind: 'text-end'; readonly outcome: TurnOutcome }
  /** Settled: nothing follows. */
  | { readonly kind: 'turn-end'; readonly end: TurnEnd }

/** Everything that a log holds. */
export type LogRecordBody =
  | { readonly kind: 'start'; readonly start: TurnStart }
  /** All that was said in the records after the start, up to this one. */
  | { readonly kind: 'snapshot'; readonly snapshot: TurnSnapshot }
  | TurnEntry
