// Conversations. Turns are appended, never rewritten, and an append is conditional on the version that the writer saw: this
// compare-and-set keeps two devices from corrupting one conversation.
import type { AnswerTier, FinishReason, Language, PageContext, Source, Suggestion } from '@mangaassist/protocol'

export interface Session {
  readonly id: string
  /** The owner; for every other principal the conversation does not exist. */
  readonly principalId: string
  /** The guest who began it, if a user adopted it. */
  readonly inheritedFrom?: string
  /** The first question, shortened, for lists of conversations. */
  readonly title: string
  /** How many turns it has; rises by one with each. */
  readonly version: number
  readonly createdAt: number
  readonly lastActiveAt: number
  readonly summary?: StoredSummary
}

/** A summary of the oldest turns. Made from text of shoppers and models: data, never instructions. */
export interface StoredSummary {
  readonly text: string
  /** It covers the turns up to this version. */
  readonly upTo: number
  readonly at: number
}

export interface StoredTurn {
  readonly turnId: string
  readonly question: string
  readonly answer: string
  readonly language: Language
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  /** Ids of the products shown with the answer, in order. */
  readonly productIds: readonly string[]
  /** Follow-ups offered with the answer; the first is what "yes" means. */
  readonly suggestions?: readonly Suggestion[]
  readonly sources?: readonly Source[]
  /** How to reach a person of the shop, where the answer said it. */
  readonly contact?: string
  /** The page on which it was asked. */
  readonly page?: PageContext
  readonly interfaceLanguage?: Language
  /** The turn in whose place it was asked. Both stay stored; `currentTurns` leaves out the earlier one. */
  readonly replaces?: string
  /** Its answer begins with the text of the turn that it replaces. */
  readonly continues?: true
  readonly at: number
  /** When it was asked, by the clock of the node that admitted it. */
  readonly askedAt?: number
  /** Appended late because the store was unavailable, so turns that were asked later may come before it. */
  readonly late?: true
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly version: number }
  | { readonly kind: 'conflict'; readonly version: number }
  | { readonly kind: 'gone' }

export const ADOPTED_MAX = 1000

export interface SessionStore {
  /** Starts a conversation at version 0. Repeating it with the same id changes nothing. */
  create(session: Omit<Session, 'version' | 'summary' | 'inheritedFrom'>): Promise<void>
  find(sessionId: string): Promise<Session | undefined>
  /** The newest `limit` turns, in the order they were asked, oldest first. */
  recentTurns(sessionId: string, limit: number): Promise<readonly StoredTurn[]>
  /**
   * Adds a turn if the conversation is still at `expectedVersion`. A repeat with a known turn id returns the version of the
   * first.
   */
  append(sessionId: string, expectedVersion: number, turn: StoredTurn): Promise<AppendResult>
  /**
   * Stores a summary of existing turns that covers more than the stored one; returns whether it did. A late writer changes
   * nothing, and it does not count as activity.
   */
  summarise(sessionId: string, upTo: number, text: string): Promise<boolean>
  /** Newest activity first. */
  listOf(principalId: string, limit: number): Promise<readonly Session[]>
  remove(sessionId: string): Promise<void>
  /** Removes the texts of a principal's conversations that have expired and are not listed any more; absent where none are left. */
  removeExpired?(principalId: string): Promise<void>
  /**
   * Makes a guest's current conversations a user's, at most the newest `ADOPTED_MAX`, without disturbing running appends.
   * Later conversations of the guest stay the guest's. A repeat, also after a crash halfway, completes it.
   */
  adopt(guestId: string, userId: string): Promise<void>
  /**
   * Removes at most `limit` conversations idle since before `idleBefore`; returns how many. A store with expiry has nothing
   * to do.
   */
  sweep(idleBefore: number, limit: number): Promise<number>
}
