// The limit of calls in flight. It is cut while the provider is overloaded or delays calls, raised while the lane is healthy and
// well used (slowly above the usual number in flight), and removed once it has had no effect for a while; otherwise unchanged.
import { CELL_MS, sumSince } from './cells.ts'
import type { Sum } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import type { LaneSettings } from './settings.ts'
import type { Closed } from './state.ts'

type LimitSettings = LaneSettings['limit']

/** The share of overloads among the calls since `from`; 0 when there are too few calls for a ratio. */
export function overloadRatio(counts: LaneCounts, from: number, { callsMin }: LimitSettings): number {
  const { overloads, calls } = sumSince(counts.cells, from)
  return calls < callsMin ? 0 : overloads / calls
}

/** The factor by which silent calls cut the limit of a model, of which a healthy one has a few too; 1: no cut. */
function cutForSilents({ calls, silents }: Sum, { callsMin, silentCuts, silentsMin }: LimitSettings): number {
  if (calls < callsMin || silents < silentsMin) return 1
  return silentCuts.find(({ above }) => silents > calls * above)?.factor ?? 1
}

/** The factor by which an overload ratio cuts the limit; 1: no cut. */
export function cutFor(ratio: number, { cuts }: LimitSettings): number {
  return cuts.find(({ above }) => ratio > above)?.factor ?? 1
}

/**
 * The usual number in flight on a healthy lane: the median of the last minute's cells without failures. The latest figure would
 * be too high, because a lane that slows down accumulates calls for seconds before the first of them times out.
 */
export function goodInFlight(counts: LaneCounts): number {
  const good = counts.cells.filter((cell) => cell.successes > 0 && cell.overloads + cell.silents + cell.faults === 0)
  const peaks = good.map(({ inFlightPeak }) => inFlightPeak).sort((a, b) => a - b)
  return peaks[Math.floor(peaks.length / 2)] ?? 0
}

/** The average time to the first words; undefined when there are too few calls. */
function waitOf({ successes, waitedMs }: Sum, { callsMin }: LimitSettings): number | undefined {
  return successes < callsMin ? undefined : waitedMs / successes
}

/** What is judged of the newest calls: a queue at the provider forms within a second. */
const NEWEST_MS = 1000
const NEWEST_CALLS = 10
const NEWEST_MAX_MS = 10_000
/** At least this share of the newest calls is answered, and so many. */
const ANSWERED_SHARE = 0.2
const ANSWERED_MIN = 3

/**
 * Whether calls that begin now are answered as soon as usual. Then silent calls among them do not wait behind others, and fewer calls would
 * not make them fewer. False while the usual wait is not known.
 */
export function isPrompt(
  { goodWaitMs: usual, since }: Pick<Closed, 'goodWaitMs' | 'since'>,
  { cells }: Pick<LaneCounts, 'cells'>,
  { now, settings }: { readonly now: number; readonly settings: LimitSettings },
): boolean {
  let begun = 0
  const oldest = cells.findLast(({ at, firsts, retries }) => {
    begun += firsts + retries
    return at <= now - NEWEST_MS && begun >= NEWEST_CALLS
  })
  const newest = sumSince(cells, Math.max(since, now - NEWEST_MAX_MS, oldest?.at ?? 0))
  if (usual === 0 || newest.successes < Math.max(ANSWERED_MIN, begun * ANSWERED_SHARE)) return false
  return newest.waitedMs / newest.successes <= quickMs(usual, settings)
}

/** Whether the first words take about as long as usual, as far as is known. */
export function isQuick(
  { goodWaitMs: usual }: Pick<Closed, 'goodWaitMs'>,
  recent: Sum,
  settings: LimitSettings,
): boolean {
  return (waitOf(recent, settings) ?? 0) <= quickMs(usual, settings)
}

/** The longest average wait for the first words that still counts as usual. */
function quickMs(usualMs: number, { growWaitFactor, growWaitMs }: LimitSettings): number {
  return usualMs * growWaitFactor + growWaitMs
}

/** The accepted time to the first words: a call that takes longer is queued at the provider. */
function wantedMs({ goodWaitMs: usual }: Pick<Closed, 'goodWaitMs'>, { waitMinMs, waitFactor }: LimitSettings): number {
  return Math.max(waitMinMs, usual * waitFactor)
}

/** How the usual wait adapts at every tick: quickly to shorter waits, over minutes to longer ones. */
const WAIT_FALLS = 0.3
const WAIT_RISES = 1.002

/**
 * The usual time to the first words. While a limit has an effect longer waits are not learned, or a backlog would become the
 * usual wait; but if hardly anything is in flight and the wait is still long, the model is that slow.
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
  { now, settings, isPaced }: { readonly now: number; readonly settings: LimitSettings; readonly isPaced: boolean },
): Limited {
  const { limit, cutAt, unsaturatedSince } = phase
  const from = Math.max(phase.since, now - settings.windowMs)
  const recent = sumSince(counts.cells, from)
  // Only outcomes since the last cut count: otherwise one burst would cause six cuts in three seconds.
  const sinceCut = Math.max(from, cutAt)
  // Refusals of a model cut its pace instead.
  // Silence that has nothing to do with load is no reason for fewer calls.
  const isUnloaded = isPaced && isPrompt(phase, counts, { now, settings })
  const cut = isPaced
    ? isUnloaded
      ? 1
      : cutForSilents(sumSince(counts.cells, sinceCut), settings)
    : cutFor(overloadRatio(counts, sinceCut, settings), settings)
  if (cut < 1 && limit !== settings.floor) {
    const usual = isPaced ? recent.inFlightPeak : phase.goodInFlight || recent.inFlightPeak
    const base = Math.min(limit ?? usual, recent.inFlightPeak)
    return { limit: Math.max(settings.floor, Math.floor(base * cut)), unsaturatedSince: now, cutAt: now }
  }
  const backlog = backlogOf(phase, recent, { now, from, settings })
  if (backlog > 0) {
    const base = Math.min(limit ?? recent.inFlightPeak, recent.inFlightPeak)
    return { limit: Math.max(settings.floor, Math.floor(base - backlog)), unsaturatedSince: now, cutAt: now }
  }
  if (limit === null) return { limit, unsaturatedSince: now, cutAt }
  // A pace sheds calls too, and says nothing of the limit.
  const isFelt = (recent.shed > 0 && !phase.pace) || recent.inFlightPeak >= limit * settings.wellUsed
  if (!isFelt) {
    const isLifted = now - unsaturatedSince >= settings.liftAfterMs
    return { limit: isLifted ? null : limit, unsaturatedSince, cutAt }
  }
  const troubles = recent.failures - (isUnloaded ? recent.silents : 0)
  const isWell = isQuick(phase, recent, settings) && troubles <= recent.calls * settings.growBelow
  return { limit: isWell ? grown(limit, phase.goodInFlight, settings) : limit, unsaturatedSince: now, cutAt }
}

/** A wait up to this many times the accepted one causes no cut. */
const WAIT_SLACK = 1.5

/**
 * Estimates how many calls are queued at the provider, from how much longer than accepted their first words take. A backlog
 * belongs in our own queue, where the newest go first, not in the provider's. Calls that were in flight at the last cut stay
 * slow until they end, so a new estimate is made only after that time. There is none while the usual wait is not known: of many models it is
 * longer than the shortest that counts as a queue.
 */
function backlogOf(
  phase: Closed,
  recent: Sum,
  { now, from, settings }: { readonly now: number; readonly from: number; readonly settings: LimitSettings },
): number {
  const wait = waitOf(recent, settings)
  const wanted = wantedMs(phase, settings)
  if (wait === undefined || phase.goodWaitMs === 0) return 0
  if (wait <= wanted * WAIT_SLACK || now < phase.cutAt + wait) return 0
  const perMs = recent.successes / Math.max(CELL_MS, now - from)
  return perMs * (wait - wanted)
}

function grown(limit: number, good: number, { growFactor, growSlowlyFactor }: LimitSettings): number {
  return Math.max(limit + 1, Math.floor(limit * (limit < good ? growFactor : growSlowlyFactor)))
}
