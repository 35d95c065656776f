// How many calls may be in flight: cut while the lane says it is overloaded, grown while it is well and used (slowly, past what
// it was seen to bear), lifted once nobody has felt it for a while. In between it stays as it is, so that it comes to rest.
import { CELL_MS, sumOf, sumSince } from './cells.ts'
import type { Sum } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import type { LaneSettings } from './settings.ts'
import type { Closed } from './state.ts'

type LimitSettings = LaneSettings['limit']

/** Overloads among the calls since `from`; 0 when there are too few to say. */
export function overloadRatio(counts: LaneCounts, from: number, { callsMin }: LimitSettings): number {
  const { overloads, calls } = sumSince(counts.cells, from)
  return calls < callsMin ? 0 : overloads / calls
}

/** The factor by which such a ratio cuts; 1: not at all. */
export function cutFor(ratio: number, { cuts }: LimitSettings): number {
  return cuts.find(({ above }) => ratio > above)?.factor ?? 1
}

/**
 * What is usually in flight when all is well: the median of the last minute's good cells. The latest figure will not do: a
 * lane that slows down piles up calls for seconds before the first of them times out.
 */
export function goodInFlight(counts: LaneCounts): number {
  const good = counts.cells.filter((cell) => cell.successes > 0 && sumOf([cell]).failures === 0)
  const peaks = good.map(({ inFlightPeak }) => inFlightPeak).sort((a, b) => a - b)
  return peaks[Math.floor(peaks.length / 2)] ?? 0
}

/** Over all that is counted, which in good times is the last minute. */
export function answeredPerSecond({ cells }: LaneCounts, now: number): number {
  const [first] = cells
  return first === undefined ? 0 : (sumOf(cells).successes * 1000) / Math.max(CELL_MS, now - first.at)
}

type Limited = Pick<Closed, 'limit' | 'unsaturatedSince' | 'cutAt'>

export function nextLimit(
  phase: Closed,
  counts: LaneCounts,
  { now, settings }: { readonly now: number; readonly settings: LimitSettings },
): Limited {
  const { limit, cutAt, unsaturatedSince } = phase
  const from = Math.max(phase.since, now - settings.windowMs)
  const recent = sumSince(counts.cells, from)
  // What led to a cut must not lead to the next: one burst would bring six of them in three seconds.
  const cut = cutFor(overloadRatio(counts, Math.max(from, cutAt), settings), settings)
  if (cut < 1) {
    const base = Math.min(limit ?? (phase.goodInFlight || recent.inFlightPeak), recent.inFlightPeak)
    return { limit: Math.max(settings.floor, Math.floor(base * cut)), unsaturatedSince: now, cutAt: now }
  }
  if (limit === null) return { limit, unsaturatedSince: now, cutAt }
  if (recent.shed === 0 && recent.inFlightPeak < limit * settings.wellUsed) {
    const isLifted = now - unsaturatedSince >= settings.liftAfterMs
    return { limit: isLifted ? null : limit, unsaturatedSince, cutAt }
  }
  const isWell =
    recent.failures <= recent.calls * settings.growBelow && !isQueueing(phase, recent, now - from, settings)
  return { limit: isWell ? grown(limit, phase.goodInFlight, settings) : limit, unsaturatedSince: now, cutAt }
}

/**
 * More in flight that brings no more answers waits at the provider, out of our sight and in its order: a backlog must stay in
 * our own line, where the newest go first. What is usual is as much as was in flight for so many answers when all was well.
 */
function isQueueing(phase: Closed, { successes }: Sum, windowMs: number, { queueingAbove }: LimitSettings): boolean {
  const { limit, goodInFlight: inFlight, goodPerSecond } = phase
  if (limit === null || inFlight === 0 || goodPerSecond === 0) return false
  const perSecond = (successes * 1000) / Math.max(CELL_MS, windowMs)
  return limit >= inFlight * queueingAbove * Math.max(1, perSecond / goodPerSecond)
}

function grown(limit: number, good: number, { growFactor, growSlowlyFactor }: LimitSettings): number {
  return Math.max(limit + 1, Math.floor(limit * (limit < good ? growFactor : growSlowlyFactor)))
}
