// Counts the readers of the answers on this node, for the records of their turns; a reader that comes back with text is noted, on
// whichever node it comes back. Bounded: the turns that were read longest ago are forgotten.
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Noted } from '#ports/turn-records/port.ts'

export interface ReaderCounts {
  /** A reader of a turn begins; `offset` is the length of the text that it has. */
  began(turnId: string, offset: number): void
  /** How many there were; undefined for none. */
  of(turnId: string): number | undefined
}

const TURNS_MAX = 5000

export function createReaderCounts(recorder: { note(turnId: string, noted: Noted): Promise<void> }): ReaderCounts {
  const counts = new BoundedMap<string, number>(TURNS_MAX)
  return {
    began(turnId, offset) {
      counts.set(turnId, (counts.get(turnId) ?? 0) + 1)
      // Fire and forget: a note never rejects.
      if (offset > 0) void recorder.note(turnId, { resumed: 1 })
    },
    of: (turnId) => counts.get(turnId),
  }
}
