// How many calls may be in flight: cut while the lane says it is overloaded or keeps calls waiting, grown while it is well and
// used (slowly, past what it was seen to bear), lifted once nobody has felt it for a while. In between it stays as it is.
import { CELL_MS, sumSince } from './cells.ts'
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
  const good = counts.cells.filter((cell) => cell.successes > 0 && cell.overloads + cell.faults === 0)
  const peaks = good.map(({ inFlightPeak }) => inFlightPeak).sort((a, b) => a - b)
  return peaks[Math.floor(peaks.length / 2)] ?? 0
}

/** How long the first words take; undefined when there are too few to say. */
function waitOf({ successes, waitedMs }: Sum, { callsMin }: LimitSettings): number | undefined {
  return successes < callsMin ? undefined : waitedMs / successes
}

/** Beyond this a call waits at the provider, behind others. */
function wantedMs({ goodWaitMs: usual }: Pick<Closed, 'goodWaitMs'>, { waitMinMs, waitFactor }: LimitSettings): number {
  return Math.max(waitMinMs, usual * waitFactor)
}

/** By these a usual wait is learned at every look: quickly when it turns out shorter, over minutes when it is longer. */
const WAIT_FALLS = 0.3
const WAIT_RISES = 1.002

/**
 * What a first word usually takes. While a limit is felt it is not learned, or a backlog would come to be the usual; but where
 * hardly anything is in flight and it still takes long, that is how long it takes.
 */
export function goodWaitMs(
  { goodWaitMs: usual, goodInFlight: inFlight, limit }: Closed,
  recent: Sum,
  settings: LimitSettings,
): number {
  const wait = waitOf(recent, settings)
  if (wait === undefined) return usual
  if (usual === 0) return wait
  if (wait < usual) return usual + (wait - usual) * WAIT_FALLS
  const isFelt = limit !== null && limit > Math.max(settings.floor, inFlight / 4)
  return isFelt ? usual : Math.min(wait, usual * WAIT_RISES)
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
  const backlog = backlogOf(phase, recent, { now, from, settings })
  if (backlog > 0) {
    const base = Math.min(limit ?? recent.inFlightPeak, recent.inFlightPeak)
    return { limit: Math.max(settings.floor, Math.floor(base - backlog)), unsaturatedSince: now, cutAt: now }
  }
  if (limit === null) return { limit, unsaturatedSince: now, cutAt }
  if (recent.shed === 0 && recent.inFlightPeak < limit * settings.wellUsed) {
    const isLifted = now - unsaturatedSince >= settings.liftAfterMs
    return { limit: isLifted ? null : limit, unsaturatedSince, cutAt }
  }
  const isQuick = (waitOf(recent, settings) ?? 0) <= wantedMs(phase, settings)
  const isWell = isQuick && recent.failures <= recent.calls * settings.growBelow
  return { limit: isWell ? grown(limit, phase.goodInFlight, settings) : limit, unsaturatedSince: now, cutAt }
}

/** Half as long again as is wanted is let pass. */
const WAIT_SLACK = 1.5

/**
 * How many calls wait at the provider, by how much longer than wanted their first words take. There they are out of our sight
 * and in its order: a backlog belongs in our own line, where the newest go first. What was in flight at the last cut is
 * still slow for as long as it takes; only then is it looked at again.
 */
function backlogOf(
  phase: Closed,
  recent: Sum,
  { now, from, settings }: { readonly now: number; readonly from: number; readonly settings: LimitSettings },
): number {
  const wait = waitOf(recent, settings)
  const wanted = wantedMs(phase, settings)
  if (wait === undefined || wait <= wanted * WAIT_SLACK || now < phase.cutAt + wait) return 0
  const perMs = recent.successes / Math.max(CELL_MS, now - from)
  return perMs * (wait - wanted)
}

function grown(limit: number, good: number, { growFactor, growSlowlyFactor }: LimitSettings): number {
  return Math.max(limit + 1, Math.floor(limit * (limit < good ? growFactor : growSlowlyFactor)))
}
