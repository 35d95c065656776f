// Arithmetic of calendar dates, `YYYY-MM-DD`, without a time zone.
import { fromIsoTime } from './from-iso-time.ts'
import { isoTime } from './iso-time.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
/** The epoch was a Thursday. */
const EPOCH_WEEKDAY = 4

/** The date this many days later; undefined for a text that is no date. */
export function dateAfter(date: string, days: number): string | undefined {
  const at = startOf(date)
  return at === undefined ? undefined : isoTime(at + days * DAY_MS).slice(0, 'YYYY-MM-DD'.length)
}

export function weekdayOf(date: string): (typeof WEEKDAYS)[number] | undefined {
  const at = startOf(date)
  return at === undefined ? undefined : WEEKDAYS[(at / DAY_MS + EPOCH_WEEKDAY) % WEEKDAYS.length]
}

function startOf(date: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? fromIsoTime(`${date}T00:00Z`) : undefined
}
