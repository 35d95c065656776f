// Figures and times as the console writes them: short, in the operator's language and time zone, never more exact than the eye can
// use. Pure; an absent figure is an en dash, which is not a zero.
import type { Language } from '@mangaassist/protocol'

export const ABSENT = '–'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface Format {
  count(n: number | null | undefined): string
  /** Micro-dollars as dollars: cents from a dollar on, more digits below it. */
  money(microUsd: number | null | undefined): string
  /** A duration of a call or a stage. */
  duration(ms: number | null | undefined): string
  /** 0.034 as 3.4 %. */
  share(part: number | null | undefined): string
  /** A figure of an alarm in its unit: a share, a duration, money, or a count of things. */
  figure(value: number, unit: string): string
  /** Date and time of day to the second. */
  time(at: string | number | null | undefined): string
  /** The time of day alone. */
  clock(at: string | number | null | undefined): string
  /** How long ago or ahead, in the largest whole unit. */
  ago(at: string | number | null | undefined, now: number): string
}

const locales = { ja: 'ja-JP', en: 'en-GB' } as const satisfies Record<Language, string>

export function createFormat(language: Language, timeZone?: string): Format {
  const locale = locales[language]
  const zone = timeZone === undefined ? {} : { timeZone }
  const counts = new Intl.NumberFormat(locale)
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  /** The threshold of an alarm may be a tenth of a percent. */
  const fine = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...zone })
  const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...zone })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' })
  const given = <Value>(value: Value | null | undefined, write: (value: Value) => string): string =>
    value === null || value === undefined ? ABSENT : write(value)

  const figures: Readonly<Record<string, (value: number) => string>> = {
    count: (value) => counts.format(value),
    ratio: (value) => fine.format(value),
    seconds: (value) => durationText(value * SECOND_MS),
    usd: (value) => `$${dollars(value, locale)}`,
  }

  return {
    figure: (value, unit) => figures[unit]?.(value) ?? `${counts.format(value)} ${unit}`,
    count: (n) => given(n, (value) => counts.format(value)),
    money: (microUsd) => given(microUsd, (value) => `$${dollars(value / 1e6, locale)}`),
    duration: (ms) => given(ms, durationText),
    share: (part) => given(part, (value) => shares.format(value)),
    time: (at) => given(at, (value) => dated(value, times)),
    clock: (at) => given(at, (value) => dated(value, clocks)),
    ago: (at, now) => given(at, (value) => agoText(epochOf(value) - now, relative)),
  }
}

function epochOf(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}

function dated(at: string | number, format: Intl.DateTimeFormat): string {
  const epoch = epochOf(at)
  return Number.isNaN(epoch) ? String(at) : format.format(epoch)
}

function dollars(usd: number, locale: string): string {
  const digits = usd === 0 || Math.abs(usd) >= 1 ? 2 : Math.abs(usd) >= 0.01 ? 4 : 6
  return usd.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: digits })
}

function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`
  // A time that would be rounded up to a whole minute is shown as one minute.
  if (ms < MINUTE_MS - 50) return `${(ms / SECOND_MS).toFixed(ms < 10 * SECOND_MS ? 2 : 1)} s`
  const seconds = Math.round(ms / SECOND_MS)
  if (seconds < 3600) return inUnits(seconds, 60, ['min', 's'])
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 24 * 60) return inUnits(minutes, 60, ['h', 'min'])
  return inUnits(Math.round(ms / HOUR_MS), 24, ['d', 'h'])
}

/** 600 s as 10 min, 605 s as 10 min 5 s. */
function inUnits(count: number, per: number, [large, small]: readonly [string, string]): string {
  const whole = `${Math.floor(count / per)} ${large}`
  return count % per === 0 ? whole : `${whole} ${count % per} ${small}`
}

function agoText(differenceMs: number, relative: Intl.RelativeTimeFormat): string {
  const size = Math.abs(differenceMs)
  const [unit, unitMs] =
    size < MINUTE_MS
      ? (['second', SECOND_MS] as const)
      : size < HOUR_MS
        ? (['minute', MINUTE_MS] as const)
        : size < DAY_MS
          ? (['hour', HOUR_MS] as const)
          : (['day', DAY_MS] as const)
  const count = Math.trunc(differenceMs / unitMs)
  // `-0` is shown as "0 seconds ago", `+0` would be "in 0 seconds".
  return relative.format(count === 0 ? -0 : count, unit)
}
