// The shop's day: budgets are per user and day, and a day begins at midnight in the shop's time zone, not in the server's.
import { fromIsoTime } from '#lib/time/from-iso-time.ts'

export interface Day {
  /** `YYYY-MM-DD` in the shop's time zone. */
  readonly key: string
  /** When the next day begins, in milliseconds since the epoch. */
  readonly endsAt: number
}

const HOUR_MS = 3_600_000
const formats = new Map<string, Intl.DateTimeFormat>()

function dayKey(at: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}

/** More than any zone is ahead of UTC. */
const AHEAD_MAX_MS = 15 * HOUR_MS

/** When a day begins; undefined for a date that does not exist. */
export function dayBegins(key: string, timeZone: string): number | undefined {
  const midnight = fromIsoTime(`${key}T00:00:00Z`)
  if (midnight === undefined) return undefined
  let at = midnight - AHEAD_MAX_MS
  for (let day = dayOf(at, timeZone); day.key < key; day = dayOf(at, timeZone)) at = day.endsAt
  return at
}

let last: { readonly timeZone: string; readonly from: number; readonly day: Day } | undefined

/** The day that contains `at`. Its end is found by a search, because daylight saving makes days of 23 and 25 hours. */
export function dayOf(at: number, timeZone: string): Day {
  if (last !== undefined && last.timeZone === timeZone && at >= last.from && at < last.day.endsAt) return last.day
  const key = dayKey(at, timeZone)
  let inside = at
  let outside = at + 26 * HOUR_MS
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2)
    if (dayKey(middle, timeZone) === key) inside = middle
    else outside = middle
  }
  const day = { key, endsAt: outside }
  last = { timeZone, from: at, day }
  return day
}
