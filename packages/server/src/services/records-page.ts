// What questions of operators about turn records share: days of the shop as times, and places in a list.
import { dayBegins, dayOf } from '#domain/budget/day.ts'
import { Refusal } from '#domain/refusal.ts'
import { fromCursor, toCursor } from '#lib/collections/cursor.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import type { RecordPosition, RecordsFilter, TurnRecord } from '#ports/turn-records/port.ts'

/** Days of the shop, both included, or times, of which the last is not. */
export interface Days {
  readonly from?: string
  readonly to?: string
}

/** Throws INVALID_REQUEST for what is no date. */
export function recordsWithin({ from, to }: Days, timeZone: string): Pick<RecordsFilter, 'from' | 'to'> {
  const begins = (field: keyof Days, day: string): number => {
    const at = isDay(day) ? dayBegins(day, timeZone) : fromIsoTime(day)
    if (at === undefined) throw new Refusal('INVALID_REQUEST', { details: { field, reason: 'is no date' } })
    return at
  }
  return {
    ...(from === undefined ? {} : { from: begins('from', from) }),
    ...(to === undefined ? {} : { to: isDay(to) ? dayOf(begins('to', to), timeZone).endsAt : begins('to', to) }),
  }
}

function isDay(text: string): boolean {
  return !text.includes('T')
}

/** The position of the `next` of a page before, or of its `newest`. Throws INVALID_REQUEST. */
export function recordPositionIn(after: string, field: 'after' | 'since' = 'after'): RecordPosition {
  const [at, turnId] = fromCursor(after, ['number', 'string']) ?? []
  if (typeof at === 'number' && typeof turnId === 'string') return { at, turnId }
  throw new Refusal('INVALID_REQUEST', { details: { field, reason: 'is not the `next` of a previous page' } })
}

/** Absent after the last page. */
export function nextOfRecords(records: readonly TurnRecord[], limit: number): { readonly next?: string } {
  const last = records.length === limit ? records.at(-1) : undefined
  return last === undefined ? {} : { next: toCursor([last.at, last.turnId]) }
}

export function recordCursor({ at, turnId }: RecordPosition): string {
  return toCursor([at, turnId])
}
