// Formats milliseconds since the epoch as ISO 8601 in UTC, by arithmetic: the core does not use `Date`.

const DAY_MS = 86_400_000

export function isoTime(at: number): string {
  const days = Math.floor(at / DAY_MS)
  const ms = at - days * DAY_MS
  // Counting years from March makes the leap day the last day of a year, so that months need no table.
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}.${String(Math.floor(ms) % 1000).padStart(3, '0')}Z`
}
