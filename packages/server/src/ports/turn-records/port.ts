// Turn records: one for each ended turn, written behind the turn, in batches. They are bounded by age and number, and may be
// dropped under pressure: nothing that an answer or a charge depends on is read from them.
import type { Feedback, Received, RecordPosition, RecordsFilter, TurnRecord } from '#domain/turn-records/turn-record.ts'

export type { Feedback, Received, RecordPosition, RecordsFilter, TurnRecord } from '#domain/turn-records/turn-record.ts'

export interface TurnRecords {
  /** Adds records. A repeat of a turn changes nothing, save that what was noted before the record came is kept with it. */
  add(records: readonly TurnRecord[]): Promise<void>
  find(turnId: string): Promise<TurnRecord | undefined>
  /** Newest first, after the position `after`. A page that is not full is the last. */
  page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]>
  /** All that match, newest first, read in pages. */
  all(filter: RecordsFilter): AsyncIterable<TurnRecord>
  /** Sets the reader's thumb, which replaces an earlier one; null takes it back. Returns false when there is no such record. */
  setFeedback(turnId: string, feedback: Feedback | null): Promise<boolean>
  /** Adds to what is known of the answer's reception; `cardsOpened` is added to the count. Unknown turns are ignored. */
  note(turnId: string, received: Omit<Received, 'feedback'>): Promise<void>
  /** Who a user is assigned to arms as: the guest that was adopted first, or the principal itself. */
  unitOf(principalId: string): Promise<string>
  /** The user keeps the guest's arms, unless there is a guest before; the guest's records become the user's. */
  adopt(guestId: string, userId: string): Promise<void>
  /** Removes the records of a person, or of a conversation, and the person's unit; returns how many records. */
  forget(of: { readonly principalId: string } | { readonly sessionId: string }): Promise<number>
  /** Removes at most `limit` records that ended before; returns how many. A store with expiry has nothing to do. */
  sweep(before: number, limit: number): Promise<number>
}
