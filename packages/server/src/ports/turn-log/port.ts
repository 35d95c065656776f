// The append-only log of a turn: what was asked, every piece of text, every meta, and last its end.
// Text is in the log before it is sent to anyone; connections are readers of it. One owner at a time
// appends, proved by an epoch; an owner that stops renewing its lease is followed by another. A log that grows past
// its bounds is trimmed: one snapshot then stands for the records between the start and itself.
import type { TurnEntry, TurnStart, LogRecordBody } from '#domain/turn/turn-record.ts'

export type LogEntry = TurnEntry
export type LogRecord = { readonly seq: number; readonly epoch: number } & LogRecordBody

/** What an owner learns when it renews. */
export interface Lease {
  /** How long nobody has followed the turn, on whatever node; 0 while someone does. */
  readonly unattendedMs: number
}

/** Past either bound the records of a log are replaced by a snapshot; what follows it is kept as it is. */
export interface LogBounds {
  readonly recordsMax: number
  readonly bytesMax: number
}

export interface TurnLog {
  /** Begins a turn's log with record 0 at epoch 1, owned for `leaseMs`. False when that turn exists already. */
  open(start: TurnStart, leaseMs: number): Promise<boolean>
  /**
   * Adds entries in order, all or none, durable once resolved. False when `epoch` is not the turn's current one
   * or the turn has ended: the caller no longer owns it and must stop writing.
   */
  append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean>
  /**
   * Whether what was appended at this epoch may be acted upon, because it is in the log that everyone reads, or because
   * nobody else can have the turn; false when another owner has it. Throws while that cannot be known.
   */
  confirm(turnId: string, epoch: number): Promise<boolean>
  /** The start alone, to see whose turn it is; undefined when there is no such turn. */
  start(turnId: string): Promise<TurnStart | undefined>
  /**
   * Records with `seq` greater than `afterSeq` (−1 for all), or the snapshot that stands for them; undefined when
   * there is no such turn.
   */
  read(turnId: string, afterSeq: number): Promise<readonly LogRecord[] | undefined>
  /**
   * What `read` gives, then what comes, in batches as the reader asks for them, until `turn-end` or the signal.
   * A reader that asks slowly holds nobody up and misses nothing; one that a trim overtook is given the snapshot.
   * While it is read the turn counts as attended. Ends at once when there is no such turn.
   */
  follow(turnId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<readonly LogRecord[]>
  /** Turns of a session as they are opened from now on, until the signal. */
  followSession(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart>
  /** Extends the owner's lease; undefined when it is no longer the owner. */
  renew(turnId: string, epoch: number, leaseMs: number): Promise<Lease | undefined>
  /** Raises the epoch of a turn whose lease has lapsed and leases it; undefined while it is owned, ended or unknown. */
  takeOver(turnId: string, leaseMs: number): Promise<number | undefined>
  /** Turns without an end whose lease has lapsed, oldest lapse first. */
  orphans(limit: number): Promise<readonly string[]>
  /** A durable wish to stop; repeating it, or wishing it of an ended turn, changes nothing. */
  requestStop(turnId: string): Promise<void>
  /** Calls `listener` once when a stop is wished, by whomever and on whatever node, or was already. */
  onStop(turnId: string, listener: () => void): Disposable
  /** Forgets the ended turns of a session; answers their ids. */
  forgetSession(sessionId: string): Promise<readonly string[]>
  /**
   * Forgets at most `limit` turns that ended before `endedBefore`. Answers how many went, those that were forgotten already
   * included where the store still listed them: `limit` of them means that there may be more.
   */
  sweep(endedBefore: number, limit: number): Promise<number>
}
