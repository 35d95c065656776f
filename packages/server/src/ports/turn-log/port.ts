// The append-only log of a turn: the question, every piece of text, every meta, and last its end. Text is in the log before
// it is sent; connections are readers of it. One owner at a time appends, proved by an epoch; when an owner stops renewing
// its lease, another takes over. A log that exceeds its bounds is trimmed: one snapshot then stands for the records between
// the start and itself.
import type { TurnEntry, TurnStart, LogRecordBody } from '#domain/turn/log-records.ts'

export type LogEntry = TurnEntry
export type LogRecord = { readonly seq: number; readonly epoch: number } & LogRecordBody

/** The result of a renewal. */
export interface Lease {
  /** How long the turn has had no reader on any node; 0 while it has one. */
  readonly unattendedMs: number
}

/** Beyond either bound the records of a log are replaced by a snapshot; later records stay. */
export interface LogBounds {
  readonly recordsMax: number
  readonly bytesMax: number
}

export interface TurnLog {
  /** Begins a turn's log with record 0 at epoch 1, owned for `leaseMs`. False when the turn exists already. */
  open(start: TurnStart, leaseMs: number): Promise<boolean>
  /**
   * Adds entries in order, all or none, durable when it resolves. False when `epoch` is not the turn's current one or the
   * turn has ended: the caller no longer owns it and must stop writing.
   */
  append(turnId: string, epoch: number, entries: readonly LogEntry[]): Promise<boolean>
  /**
   * Whether appends at this epoch may be acted upon, because they are in the shared log or no other node can own the turn;
   * false when another node owns it. Throws when that cannot be known.
   */
  confirm(turnId: string, epoch: number): Promise<boolean>
  /** The start alone, to check the principal; undefined when the turn does not exist. */
  start(turnId: string): Promise<TurnStart | undefined>
  /**
   * Records with `seq` greater than `afterSeq` (−1 for all), or the snapshot that stands for them; undefined when the turn
   * does not exist.
   */
  read(turnId: string, afterSeq: number): Promise<readonly LogRecord[] | undefined>
  /**
   * Yields what `read` returns, then new records, in batches as the reader asks for them, until `turn-end` or the signal. A
   * slow reader delays no other and misses nothing; after a trim it gets the snapshot. While it is read the turn counts as
   * attended. Ends at once when the turn does not exist.
   */
  follow(turnId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<readonly LogRecord[]>
  /** Turns of a session that are opened from now on, until the signal. */
  followSession(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart>
  /** Extends the owner's lease; undefined when it is no longer the owner. */
  renew(turnId: string, epoch: number, leaseMs: number): Promise<Lease | undefined>
  /**
   * Ends the owner's lease, so that another node may take the turn over at once, and calls the listeners of `onReleased`. Changes
   * nothing when `epoch` is not the turn's current one, when it has ended, or while the shared log lacks a part of it.
   */
  release(turnId: string, epoch: number): Promise<void>
  /** Calls `listener` after a turn was released on any node. A call may be lost: `orphans` has the turn in any case. */
  onReleased(listener: () => void): Disposable
  /** Raises the epoch of a turn whose lease has lapsed and leases it; undefined when it is owned, ended or unknown. */
  takeOver(turnId: string, leaseMs: number): Promise<number | undefined>
  /** Turns without an end whose lease has lapsed, oldest lapse first. */
  orphans(limit: number): Promise<readonly string[]>
  /** Stores a durable stop request; a repeat, or a request for an ended turn, changes nothing. */
  requestStop(turnId: string): Promise<void>
  /** Calls `listener` once when a stop is requested on any node, or was requested before. */
  onStop(turnId: string, listener: () => void): Disposable
  /** Removes the ended turns of a session; returns their ids. */
  forgetSession(sessionId: string): Promise<readonly string[]>
  /**
   * Removes at most `limit` turns that ended before `endedBefore`. Returns how many, including expired ones that the store
   * still listed: `limit` means that there may be more.
   */
  sweep(endedBefore: number, limit: number): Promise<number>
  /**
   * Notes that a turn ends before its conversation or its ledger rows are written, because their store is unavailable. They are
   * in the memory of its owner; if that dies, another node writes them from the log. A repeat changes nothing.
   */
  noteUnwritten(turnId: string): Promise<void>
  /** Turns that were noted at least `olderThanMs` ago, oldest first. */
  unwritten(olderThanMs: number, limit: number): Promise<readonly string[]>
  /** Removes the note of a turn. */
  written(turnId: string): Promise<void>
}
