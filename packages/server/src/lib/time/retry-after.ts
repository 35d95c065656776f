// Reads a Retry-After header: seconds, or a date in the one form that HTTP allows servers to send. The date is computed
// by arithmetic, because the core does not use `Date`.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HTTP_DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const DAY_MS = 86_400_000

/** Milliseconds from `nowMs`, never negative; undefined when the header is absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const at = httpDateMs(text)
  return at === undefined ? undefined : Math.max(0, at - nowMs)
}

/** The time of a `Date` header; undefined for another text. */
export function httpDateMs(text: string): number | undefined {
  const [, day, monthName = '', year, hours, minutes, seconds] = HTTP_DATE.exec(text) ?? []
  const month = MONTHS.indexOf(monthName) + 1
  if (month === 0) return undefined
  const timeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return daysSinceEpoch(Number(year), month, Number(day)) * DAY_MS + timeMs
}

function daysSinceEpoch(year: number, month: number, day: number): number {
  // Counting years from March makes the leap day the last day of a year, so that months need no table.
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
