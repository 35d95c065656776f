// What is kept of an ended turn for operators and experiments: its whole story in ids and figures, and how it was received. No text
// of a question or an answer is in it. Fields that older records lack are optional.
import type { AnswerTier, FinishReason, Language } from '@mangaassist/protocol'
import type { TurnRouting, WeighedQuestion } from '../routing/route-choice.ts'
import type { AnswerMismatch, DoorKind, PromptEstimate, TurnKind } from '../turn/log-records.ts'
import type { CallReason, EstimateBy, PassedModel, Retrieved, StageTimes, TurnStory } from '../turn/turn-story.ts'
import type { LogLevel } from '../telemetry/entry.ts'
import type { VendorFault } from '../model/vendor-fault.ts'
import type { RefusalRecord } from './refusal-record.ts'

export interface TurnRecord {
  readonly turnId: string
  readonly sessionId: string
  readonly principalId: string
  readonly userTier: string
  /** When the turn ended. */
  readonly at: number
  readonly language: Language
  /** How many turns the conversation had before. */
  readonly position: number
  /**
   * Absent while routing is off and no experiment runs. An answer from the cache was made for another turn: it has no
   * exposures.
   */
  readonly routing?: TurnRouting
  /** Whether routing is on or off; absent where the question was not read. */
  readonly weighed?: WeighedQuestion
  readonly promptVersion?: string
  readonly tier: AnswerTier
  readonly model: string
  readonly finishReason: FinishReason
  readonly isDegraded: boolean
  readonly isCached: boolean
  readonly failure?: string
  readonly attempts: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
  readonly firstWordMs: number | null
  readonly totalMs: number
  readonly mismatches: readonly AnswerMismatch['kind'][]
  /** Absent in records from before completions had any: `chat`. */
  readonly kind?: TurnKind
  readonly door?: DoorKind
  readonly requestId?: string
  readonly traceId?: string
  /** The node that settled it. */
  readonly node?: string
  readonly acceptedAt?: number
  /** The turn in whose place it was asked. */
  readonly replaces?: string
  /** Its answer continues the text of that turn. */
  readonly continues?: true
  /** How long it waited for a permit, in all queues. */
  readonly queueMs?: number
  readonly stages?: StageTimes
  /** Why the answer is degraded, as its `meta` says: words with a space between them. */
  readonly reason?: string
  /** What was not available in time. */
  readonly missing?: readonly string[]
  readonly retrieved?: Retrieved
  /** The estimated tokens of the prompt by part. */
  readonly prompt?: PromptEstimate
  /** How they were estimated; absent in older records. */
  readonly estimate?: EstimateBy
  /** The configured name of the model that would have been asked first, whatever budget and lanes allowed. */
  readonly firstChoice?: string
  /** Every call of a model, in the order of their numbers; at most `CALLS_MAX`. */
  readonly calls?: readonly TurnCall[]
  /** The models that were asked for an answer and gave none, or were not asked, in the order of the ladder. */
  readonly passed?: readonly PassedModel[]
  /** How often another call continued text that was already shown. */
  readonly seams?: number
  /** The epoch of the last owner: 1 without a takeover. */
  readonly epoch?: number
  /** In how many pieces the text came from what answered, and in how many writes it was shown; absent in older records. */
  readonly deltas?: number
  readonly frames?: number
  /** Readers on the owner's node. */
  readonly readers?: number
  /** What the first of them were sent, in the order in which they began; at most `SENT_TO_MAX`. */
  readonly sentTo?: readonly SentTo[]
  /** The sums of the others. */
  readonly sentToOthers?: SentSums
  /** Why it ended before its text was complete. */
  readonly stop?: NonNullable<TurnStory['stop']>
  /** The shopper was warned that the day's budget is nearly used up. */
  readonly quotaWarned?: true
  /**
   * The lines of the log about the turn and its request, without `turn.ended`; absent in records of versions that stored none. At
   * most `LINES_MAX`, and together `LINES_LENGTH_MAX` characters.
   */
  readonly lines?: readonly RecordedLine[]
  /** How many lines are past the bounds. */
  readonly linesLeftOut?: number
  /** What the shopper did with the answer; each is written later than the record. */
  readonly received: Received
}

/** A line of the log, without the ids that its record has. */
export interface RecordedLine {
  readonly at: number
  readonly level: LogLevel
  readonly event: string
  readonly fields?: Readonly<Record<string, string | number | boolean>>
  /** The error's name and its redacted words. */
  readonly error?: string
}

export const LINES_MAX = 20
export const LINES_LENGTH_MAX = 8000

/** One call of a model. */
export interface TurnCall {
  readonly attempt: number
  /** The vendor's id of the model. */
  readonly model: string
  /** The configured name of the model. */
  readonly name?: string
  readonly lane?: string
  readonly tier: AnswerTier
  readonly why?: CallReason
  /** The wait before a retry. */
  readonly delayMs?: number
  /** How it ended: `end`, `length`, … or the class of its error. */
  readonly outcome: string
  readonly fault?: VendorFault
  /** From the acceptance of the turn to the beginning of the call. */
  readonly startMs?: number
  readonly firstTokenMs?: number
  readonly tookMs?: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** The tokens were estimated, not reported. */
  readonly estimated?: true
  readonly costMicroUsd: number
}

export const CALLS_MAX = 24

/** How many readers of a turn are recorded one by one. */
export const SENT_TO_MAX = 6

export interface SentSums {
  /** How many frames of the turn; an answer in one piece is one. */
  readonly frames: number
  /** The size of these frames as they were encoded. The server compresses none of them. */
  readonly bytes: number
  /** How often it had to wait because it read too slowly, and how long in all; absent for none. */
  readonly pauses?: number
  readonly pausedMs?: number
}

/** What one reader was sent until the record was written. */
export interface SentTo extends SentSums {
  readonly door: ReaderDoor
  /** From the acceptance of the turn to the beginning of the reading, and from there to its end. */
  readonly startMs: number
  readonly tookMs?: number
  /** The length of the text that it had already: it came back. */
  readonly offset?: number
  /** Absent while it reads. */
  readonly end?: ReaderEnd
}

export type ReaderDoor = 'ws' | 'sse' | 'http' | 'v1'

/**
 * Everything was sent; the client left; the server closed the connection, or closed it because the client read too slowly; the client
 * asked for the turn again on the same connection; a deadline, with the text so far; or an error.
 */
export type ReaderEnd = 'complete' | 'left' | 'closed' | 'too-slow' | 'replaced' | 'timeout' | 'failed'

/** Fields are added as they become known; feedback may change, the rest never goes back. */
export interface Received {
  readonly feedback?: Feedback
  /** Another question followed in the conversation. */
  readonly followedUp?: true
  /** The next question repeated this one or complained about its answer. */
  readonly askedAgain?: true
  /** How many cards were opened. */
  readonly cardsOpened?: number
  /** A person of the shop was called, or asked for. */
  readonly handedOver?: true
  /** How often a reader came back to the answer with text that it had. */
  readonly resumed?: number
}

export interface Feedback {
  readonly value: 'up' | 'down'
  readonly reason?: string
  readonly at: number
}

/** A turn, or a request that did not become one. */
export type StoredRecord = TurnRecord | RefusalRecord
export type RecordKind = TurnKind | 'refusal'

/** All that are given apply. */
export interface RecordsFilter {
  /** Times in milliseconds; `to` is not included. */
  readonly from?: number
  readonly to?: number
  /** The id of a turn or of a refusal. */
  readonly recordId?: string
  readonly requestId?: string
  readonly experiment?: string
  readonly sessionId?: string
  readonly principalId?: string
  readonly feedback?: Feedback['value']
  /** `turn` is every kind of turn. */
  readonly kind?: RecordKind | 'turn'
  readonly door?: string
  /** The model that answered, by the vendor's id. */
  readonly model?: string
  readonly tier?: string
  /** One of the words that say why an answer is degraded or incomplete, or what refused a request. */
  readonly reason?: string
  /** A finish reason, an error code, or `refused` for every error code. */
  readonly outcome?: string
  readonly isDegraded?: boolean
  readonly costMicroUsdMin?: number
  readonly costMicroUsdMax?: number
  readonly totalMsMin?: number
}

/** Where a page ended. For a refusal `turnId` is the refusal's id. */
export interface RecordPosition {
  readonly at: number
  readonly turnId: string
}

/** Newest first. `next` is where the list continues, also after a page that is not full; absent at its end. */
export interface RecordsPage {
  readonly records: readonly StoredRecord[]
  readonly next?: RecordPosition
}
