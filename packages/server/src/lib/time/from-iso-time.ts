// Parses ISO 8601 with a time zone to milliseconds since the epoch, by arithmetic: the core does not use `Date`.

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/
const DAY_MS = 86_400_000
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Undefined when the text is not a timestamp or names a date that does not exist. */
export function fromIsoTime(text: string): number | undefined {
  const found = SHAPE.exec(text)
  if (found === null) return undefined
  const number = (index: number) => Number(found[index] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const isDay =
    month >= 1 && day >= 1 && day <= (MONTH_DAYS[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap(year))
  if (!isDay || hour > 23 || minute > 59 || second > 59 || number(9) > 23 || number(10) > 59) return undefined
  const ms = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000)
  const offsetMs = (number(9) * 60 + number(10)) * 60_000 * (found[8] === '-' ? -1 : 1)
  return daysBefore(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms - offsetMs
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Days since the epoch. Counting years from March makes the leap day the last day of a year. */
function daysBefore(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}
