// When a prewarm is due: at a time of some weekdays in the shop's time zone, for the releases of the following day. A
// missed time, for example after a restart, is caught up for a while. Pure.
import { dayOf } from '../budget/day.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface PrewarmSchedule {
  readonly weekdays: readonly Weekday[]
  /** `HH:MM`. */
  readonly time: string
  /** How long after its time a prewarm is still begun or continued. */
  readonly catchUpMs: number
}

export interface DuePrewarm {
  /** The day of the releases, `YYYY-MM-DD`. */
  readonly day: string
  readonly dueAt: number
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** The last scheduled time that is not over yet; undefined when there is none. */
export function duePrewarm(now: number, schedule: PrewarmSchedule, timeZone: string): DuePrewarm | undefined {
  const minutes = minutesOf(schedule.time)
  let dueAt = lastAt(now, minutes, timeZone)
  while (now - dueAt < schedule.catchUpMs) {
    if (schedule.weekdays.includes(localTime(dueAt, timeZone).weekday)) {
      const { endsAt } = dayOf(dueAt, timeZone)
      return { day: dayOf(endsAt, timeZone).key, dueAt }
    }
    dueAt = lastAt(dueAt - MINUTE_MS, minutes, timeZone)
  }
  return undefined
}

/** The last moment, not after `now`, at which clocks of the zone show this minute of the day. */
function lastAt(now: number, minutes: number, timeZone: string): number {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const ago = (localTime(minute, timeZone).minutes - minutes + DAY_MINUTES) % DAY_MINUTES
  const guess = minute - ago * MINUTE_MS
  // The clocks may have been changed in between.
  const off = localTime(guess, timeZone).minutes - minutes
  const nearest = ((off + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2
  const at = guess - nearest * MINUTE_MS
  return at > now ? at - DAY_MINUTES * MINUTE_MS : at
}

interface LocalTime {
  readonly weekday: Weekday
  readonly minutes: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(at: number, timeZone: string): LocalTime {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const minutes = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  return { weekday: parts.get('weekday')?.toLowerCase() as Weekday, minutes }
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}
