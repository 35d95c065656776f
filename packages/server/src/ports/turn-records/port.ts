// Turn records: one for each ended turn, and one for requests that were refused, written behind the turn, in batches. They are
// bounded by age and number, and may be dropped under pressure: nothing that an answer or a charge depends on is read from them.
import type {
  Feedback,
  Received,
  RecordPosition,
  RecordsFilter,
  RecordsPage,
  StoredRecord,
  TurnRecord,
} from '#domain/turn-records/turn-record.ts'

export type { RefusalRecord } from '#domain/turn-records/refusal-record.ts'
export type {
  Feedback,
  Received,
  RecordPosition,
  RecordsFilter,
  RecordsPage,
  StoredRecord,
  TurnRecord,
} from '#domain/turn-records/turn-record.ts'

export type Noted = Omit<Received, 'feedback'>
/** Whose records: a person's, or a conversation's. */
export type RecordsOf = { readonly principalId: string } | { readonly sessionId: string }

export interface RecordsBounds {
  /** Records of turns that ended before this time are removed. */
  readonly before: number
  /** Above this number of turns the oldest are removed. */
  readonly countMax: number
  /** Above this number of refusals the oldest are removed: a flood of them removes no turn. */
  readonly refusalsMax: number
}

/** For how long a note waits for its record, and a record that comes after `forget` is recognised. */
export const LATE_MS = 3_600_000
/** How many turns can have notes that wait for a record. */
export const NOTED_MAX = 10_000
/** How many records of one guest become the user's. */
export const RECORDS_ADOPTED_MAX = 1000
/** How the id of a refusal begins. */
export const REFUSAL_ID = 'ref_'
/** For how long a user is assigned to arms as the guest. */
export const UNIT_KEPT_MS = 400 * 86_400_000

export interface TurnRecords {
  /** Adds records, with what was noted before they came. A repeat of a turn or a refusal changes nothing. */
  add(records: readonly StoredRecord[]): Promise<void>
  find(turnId: string): Promise<TurnRecord | undefined>
  /** Turns, newest first, after the position `after`. A page that is not full is the last. */
  page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]>
  /** All turns that match, newest first, read in pages. */
  all(filter: RecordsFilter): AsyncIterable<TurnRecord>
  /**
   * Turns and refusals for operators, newest first. The work for one page is bounded: where a store has no index for a filter, a
   * page may end early, and `next` says where the list continues.
   */
  list(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<RecordsPage>
  /** Sets the reader's thumb, which replaces an earlier one; null takes it back. Returns false when there is no such record. */
  setFeedback(turnId: string, feedback: Feedback | null): Promise<boolean>
  /**
   * Adds to what is known of the answer's reception; `cardsOpened` is added to the count. Before the record comes, the note
   * waits for it at most `LATE_MS`.
   */
  note(turnId: string, noted: Noted): Promise<void>
  /** Who a user is assigned to arms as: the guest that the user was first seen as, or the principal itself. */
  unitOf(principalId: string): Promise<string>
  /**
   * The guest's records become the user's. A user without records of their own is assigned as the guest from now on; one who
   * has some, or was a guest before, stays in the arms that they have seen.
   */
  adopt(guestId: string, userId: string): Promise<void>
  /**
   * Removes the records of a person, or of a conversation, refusals included, and the person's unit; returns how many records. A record that
   * another node adds later is not stored if it is of the conversation, or of the person and ended before.
   */
  forget(of: RecordsOf): Promise<number>
  /** Removes at most about `limit` records that are outside the bounds; returns how many. Expiry may have removed them. */
  sweep(bounds: RecordsBounds, limit: number): Promise<number>
}
