// What the models did in the last days, in steps of a quarter of an hour: counts, faults with the vendor's words, and changes of lanes. Every node
// adds to the same steps; a step is never changed otherwise, and expires.
import type { HistoryStep } from '#domain/model-history/model-meter.ts'

export interface HistoryBatch extends HistoryStep {
  /** A repeat of a batch with the same id changes nothing. */
  readonly id: string
}

export interface ModelHistory {
  /** Adds counts and faults to those of its step. A change whose id is known is ignored. */
  add(batch: HistoryBatch): Promise<void>
  /** The steps that begin at or after `from` and before `to`, oldest first; those without an entry are left out. */
  read(from: number, to: number): Promise<readonly HistoryStep[]>
}

/** A step is kept at least so long after its beginning. */
export const HISTORY_KEEP_MS = 8 * 86_400_000
/** A step has at most so many entries: further ones are dropped, known ones are still added to. */
export const HISTORY_ENTRIES_MAX = 5000
