// Counts the readers of the answers on this node and what each was sent, for the records of their turns; a reader that comes back with
// text is noted, on whichever node it comes back. Bounded: the turns that were read longest ago are forgotten, and of one turn only the
// first readers are kept apart.
import { SentTally } from '#domain/turn-records/reader-meter.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { SENT_TO_MAX } from '#domain/turn-records/turn-record.ts'
import type { TurnRecord } from '#domain/turn-records/turn-record.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Noted } from '#ports/turn-records/port.ts'

export interface ReaderCounts {
  /** A reader of a turn begins; `offset` is the length of the text that it has. Without a meter it is only counted. */
  began(
    turn: Pick<TurnStart, 'turnId' | 'acceptedAt'>,
    reader: { readonly offset: number; readonly meter?: ReaderMeter | undefined },
  ): void
  /** What the readers were sent so far, for the record of the turn, which is then forgotten here. */
  take(turnId: string): Pick<TurnRecord, 'readers' | 'sentTo' | 'sentToOthers'>
}

interface ReadersOfTurn {
  readonly acceptedAt: number
  readonly apart: { readonly offset: number; readonly meter: ReaderMeter }[]
  others?: SentTally
  count: number
}

const TURNS_MAX = 5000

export function createReaderCounts(recorder: { note(turnId: string, noted: Noted): Promise<void> }): ReaderCounts {
  const turns = new BoundedMap<string, ReadersOfTurn>(TURNS_MAX)
  return {
    began({ acceptedAt, turnId }, { meter, offset }) {
      const readers = turns.get(turnId) ?? { acceptedAt, apart: [], count: 0 }
      turns.set(turnId, readers)
      readers.count += 1
      if (meter !== undefined && readers.apart.length < SENT_TO_MAX) readers.apart.push({ offset, meter })
      else meter?.countIn((readers.others ??= new SentTally()))
      // Fire and forget: a note never rejects.
      if (offset > 0) void recorder.note(turnId, { resumed: 1 })
    },
    take(turnId) {
      const readers = turns.get(turnId)
      if (readers === undefined) return {}
      turns.delete(turnId)
      const { acceptedAt, apart, count, others } = readers
      return {
        readers: count,
        ...(apart.length === 0
          ? {}
          : { sentTo: apart.map(({ meter, offset }) => meter.sentTo({ acceptedAt, offset })) }),
        ...(others === undefined ? {} : { sentToOthers: others.sums() }),
      }
    },
  }
}
