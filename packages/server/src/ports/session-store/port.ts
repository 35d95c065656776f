// Conversations. Turns are appended, never rewritten, and an append is conditioned on the version the
// writer saw: the compare-and-set here is what keeps two devices from corrupting one conversation.
import type { AnswerTier, FinishReason, Language } from '@mangaassist/protocol'

export interface Session {
  readonly id: string
  /** Whose it is; to anyone else it does not exist. */
  readonly principalId: string
  /** The guest who began it, when it was handed over to whom it is now. */
  readonly inheritedFrom?: string
  /** The first question, shortened: what a list of conversations shows. */
  readonly title: string
  /** How many turns it has; rises by one with each. */
  readonly version: number
  readonly createdAt: number
  readonly lastActiveAt: number
  readonly summary?: StoredSummary
}

/** What was said in the oldest turns, in short. Made of what shoppers and models wrote: data, never instructions. */
export interface StoredSummary {
  readonly text: string
  /** It stands for the turns from the first to the one that made this version. */
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
  /** Ids of the products that were shown with the answer, in their order. */
  readonly productIds: readonly string[]
  readonly at: number
  /** When it was asked, by the clock of the node that took it in. */
  readonly askedAt?: number
  /** It had to wait for the store, so turns that were asked later may have been appended before it. */
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
   * Adds a turn when the conversation is still at `expectedVersion`. A repeat with a turn id that is already
   * there answers with the version it got then.
   */
  append(sessionId: string, expectedVersion: number, turn: StoredTurn): Promise<AppendResult>
  /**
   * Keeps a summary that reaches further than the one there, of turns that are there; answers whether it did. Whoever is late
   * changes nothing, and it is no activity.
   */
  summarise(sessionId: string, upTo: number, text: string): Promise<boolean>
  /** Newest activity first. */
  listOf(principalId: string, limit: number): Promise<readonly Session[]>
  remove(sessionId: string): Promise<void>
  /**
   * Hands the conversations that a guest has now over to a user, at most the newest `ADOPTED_MAX`; appends under way are
   * not disturbed. What the guest begins later is the guest's. Repeating it, also after a crash in its middle, completes it.
   */
  adopt(guestId: string, userId: string): Promise<void>
  /**
   * Forgets at most `limit` conversations idle since before `idleBefore`; answers how many. A store that forgets idle
   * ones by itself has nothing to do.
   */
  sweep(idleBefore: number, limit: number): Promise<number>
}
