// When the shop's desk answers: whether it is open at a moment, and when that changes. Hours are of the shop's wall clock, in
// weeks that begin on Monday. Pure.
import { DAYS } from '@mangaassist/protocol'
import type { DeskHours } from '@mangaassist/protocol'

export interface DeskTimes {
  readonly isOpen: boolean
  /** When that changes; absent when it never does. */
  readonly changesAt?: number
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES
const NAMES: readonly string[] = DAYS

interface Span {
  /** In minutes of the week; the end may be in the next one. */
  readonly from: number
  readonly to: number
}

/** Undefined: the shop has not said when the desk answers. */
export function deskTimes(hours: readonly DeskHours[], at: number, timeZone: string): DeskTimes | undefined {
  const spans = hours.flatMap(spansOf)
  if (spans.length === 0) return undefined
  const now = minuteOfWeek(at, timeZone)
  const until = openUntil(spans, now)
  if (until === undefined) {
    const wait = Math.min(...spans.map(({ from }) => forwards(from - now)))
    return { isOpen: false, changesAt: momentIn(at, wait, timeZone) }
  }
  return until - now >= WEEK_MINUTES
    ? { isOpen: true }
    : { isOpen: true, changesAt: momentIn(at, until - now, timeZone) }
}

/** The minute at which it closes, through spans that follow each other; undefined when it is closed. */
function openUntil(spans: readonly Span[], now: number): number | undefined {
  let end: number | undefined
  // Each round goes beyond the last end; the first span may be met again, a week later.
  for (let round = 0; round <= spans.length; round += 1) {
    const at = end ?? now
    if (at - now >= WEEK_MINUTES) break
    const ends = spans.filter((span) => forwards(at - span.from) < span.to - span.from)
    if (ends.length === 0) break
    end = Math.max(...ends.map((span) => at + span.to - span.from - forwards(at - span.from)))
  }
  return end
}

function spansOf({ days, from, to }: DeskHours): readonly Span[] {
  const [begins, ends] = [minuteOfDay(from), minuteOfDay(to)]
  const lasts = ends > begins ? ends - begins : ends - begins + DAY_MINUTES
  return days.map((day) => {
    const start = NAMES.indexOf(day) * DAY_MINUTES + begins
    return { from: start, to: start + lasts }
  })
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const forwards = (minutes: number) => ((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES

/** The moment so many minutes of the wall clock later; the hours of a change of daylight saving are corrected. */
function momentIn(at: number, minutes: number, timeZone: string): number {
  const wanted = forwards(minuteOfWeek(at, timeZone) + minutes)
  const guess = Math.floor(at / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS
  const off = forwards(wanted - minuteOfWeek(guess, timeZone))
  return guess + (off > WEEK_MINUTES / 2 ? off - WEEK_MINUTES : off) * MINUTE_MS
}

const formats = new Map<string, Intl.DateTimeFormat>()

function minuteOfWeek(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-GB', { timeZone, ...parts })
    formats.set(timeZone, format)
  }
  const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = NAMES.indexOf((found.get('weekday') ?? '').toLowerCase())
  return day * DAY_MINUTES + Number(found.get('hour')) * 60 + Number(found.get('minute'))
}
