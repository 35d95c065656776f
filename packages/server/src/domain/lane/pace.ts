// How many calls a second begin while the provider refuses some for load. A quota is a rate: a limit of calls in flight would stop all
// calls until enough answers have ended, and then let too many pass. The pace falls to a little more than was granted, so that nothing of the quota is left, and rises ever faster while nothing is
// refused, so that it finds a quota that has returned within seconds.
import { CELL_MS, sumSince } from './cells.ts'
import type { LaneCounts } from './counts.ts'

export interface Pace {
  readonly perSecond: number
  /** Calls until the next tick; their fraction is kept for the tick after it. */
  readonly starts: number
  readonly cutAt: number
  /** When it last held a call back. */
  readonly feltAt: number
  /** Ticks without a refusal since the last cut. */
  readonly rises: number
}

export interface PaceSettings {
  readonly perSecondMin: number
  readonly windowMs: number
  /** With fewer overloads in the window nothing is cut. */
  readonly overloadsMin: number
  /** The share of refused calls above which the pace is cut, to this many times what was granted in the window. */
  readonly cutAbove: number
  readonly cutFactor: number
  readonly cutEveryMs: number
  /** One cut leaves at least this share of the pace. */
  readonly cutLeaves: number
  /** Below this share it rises: each tick without a refusal by this much more. */
  readonly riseBelow: number
  readonly rise: number
  readonly riseMax: number
  /** From this share of the pace on, it is felt. */
  readonly felt: number
  readonly liftAfterMs: number
}

export const paceDefaults: PaceSettings = {
  perSecondMin: 0.5,
  windowMs: 2000,
  overloadsMin: 3,
  cutAbove: 0.2,
  cutFactor: 1.1,
  cutEveryMs: 1000,
  cutLeaves: 0.6,
  riseBelow: 0.1,
  rise: 0.02,
  riseMax: 0.25,
  felt: 0.8,
  liftAfterMs: 3000,
}

export interface PaceMoment {
  readonly now: number
  /** Earlier outcomes do not count. */
  readonly since: number
  readonly settings: { readonly pace: PaceSettings | null; readonly tickMs: number }
  /** Whether the first words take no longer than usual. */
  readonly isQuick: boolean
}

export function nextPace(
  pace: Pace | null,
  counts: LaneCounts,
  { now, since, isQuick, settings: { pace: settings, tickMs } }: PaceMoment,
): Pace | null {
  if (settings === null) return null
  const from = Math.max(since, cellBefore(now - settings.windowMs))
  const recent = sumSince(counts.cells, from)
  const starts = recent.firsts + recent.retries
  const isRefused = recent.overloads >= settings.overloadsMin && recent.overloads > starts * settings.cutAbove
  if (isRefused && now - (pace?.cutAt ?? 0) >= settings.cutEveryMs) {
    const granted = ((starts - recent.overloads) * 1000) / Math.max(CELL_MS, now - from)
    const least = Math.max(settings.perSecondMin, (pace?.perSecond ?? 0) * settings.cutLeaves)
    const perSecond = Math.max(least, Math.min(pace?.perSecond ?? Infinity, granted) * settings.cutFactor)
    return started({ perSecond, starts: 0, cutAt: now, feltAt: now, rises: 0 }, tickMs)
  }
  if (pace === null) return null
  const newestFrom = cellBefore(now - 2 * tickMs)
  const newest = sumSince(counts.cells, newestFrom)
  const isFelt = (newest.firsts + newest.retries) * 1000 >= pace.perSecond * settings.felt * (now - newestFrom)
  if (!isFelt && now - pace.feltAt >= settings.liftAfterMs) return null
  const feltAt = isFelt ? now : pace.feltAt
  // Later words show that calls wait at the provider: more would only wait longer.
  const isWell = isFelt && isQuick && recent.overloads <= Math.max(1, starts * settings.riseBelow)
  if (!isWell) return started({ ...pace, feltAt }, tickMs)
  const rises = newest.overloads === 0 ? pace.rises + 1 : pace.rises
  const perSecond = pace.perSecond * (1 + Math.min(settings.riseMax, rises * settings.rise))
  return started({ ...pace, perSecond, feltAt, rises }, tickMs)
}

/** Cells are whole: a rate is over the time from the beginning of one. */
function cellBefore(at: number): number {
  return Math.floor(at / CELL_MS) * CELL_MS
}

/** How many calls may begin until the next tick. */
export function startsOf({ starts }: Pace): number {
  return Math.floor(starts)
}

function started(pace: Pace, tickMs: number): Pace {
  return { ...pace, starts: (pace.starts % 1) + (pace.perSecond * tickMs) / 1000 }
}
