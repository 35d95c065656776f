// The days and times of flags such as `--from`: `today` and `yesterday` are days of the shop, as in every command that takes a day.
import { systemClock } from '#adapters/system/clock.ts'
import { dayOf } from '#domain/budget/day.ts'
import { dateAfter } from '#lib/time/date-after.ts'
import { UsageError } from './command.ts'

const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** The date of `today` and `yesterday`; every other text as it is. */
export function dateOfWord(text: string, timeZone: string): string {
  if (text !== 'today' && text !== 'yesterday') return text
  const today = dayOf(systemClock().now(), timeZone).key
  return dateAfter(today, text === 'today' ? 0 : -1) ?? text
}

export function dayOrTime(flag: string, text: string, timeZone: string): string {
  const given = dateOfWord(text, timeZone)
  if (DAY_OR_TIME.test(given)) return given
  throw new UsageError(
    `--${flag} must be a day such as 2026-11-04, today or yesterday, or a time such as 2026-11-04T09:30+09:00.`,
  )
}
