// The shop's day: budgets are per user and day, and a day begins at midnight in the shop's time zone, not in the server's.

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
