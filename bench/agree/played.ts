// What is recorded of a storm, simulated or real, and the figures that follow from it: one code for both, so that they differ only in
// what happened.
import { figuresOf } from '../../packages/simulation/src/fleet/figures.ts'
import type { Second, Span } from '../../packages/simulation/src/fleet/fleet-run.ts'
import { faultSpan } from '../../packages/simulation/src/scenario/timeline.ts'
import type { FleetScenario } from '../../packages/simulation/src/scenario/scenario.ts'

/** One arrival. Times count from the start of the storm. */
export interface Visited {
  readonly atMs: number
  readonly firstWordMs: number | undefined
  /** Tier of the first word; `cached-fresh` for a fresh cached answer. */
  readonly firstTier: string | undefined
}

export interface Played {
  readonly visits: readonly Visited[]
  /** Calls that began in each second. */
  readonly calls: readonly number[]
  /** When a circuit of the ladder was seen to open. */
  readonly openedAtMs: readonly number[]
}

export interface PhaseFigures {
  /** Share of arrivals with a model's word within `answers.firstWordMs`. */
  readonly served: number
  readonly callsAnArrival: number
  /** Seconds, of all who got a word from any source; NaN without any. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly openings: number
  /**
   * Shares of arrivals by the tier of their first word. `none`: any answer without a model, or no answer. A simulated node has no
   * built-in responder, so where a real one lets it answer (`embedded`), the simulated one sends a message.
   */
  readonly tiers: Readonly<Record<'primary' | 'economy' | 'none', number>>
}

export interface StormFigures {
  readonly phases: Readonly<Record<Phase, PhaseFigures>>
  /** Seconds from the end of the fault until it is as good as before it; NaN: not in the time of the run. */
  readonly recoveryS: number
  /** Arrivals of each second that were served in time. */
  readonly servedBySecond: readonly number[]
}

export type Phase = 'before' | 'during' | 'after'

const SECOND_MS = 1000
const FIRST_TIERS: ReadonlySet<string | undefined> = new Set(['primary', 'cached-fresh'])
const MODEL_TIERS: ReadonlySet<string | undefined> = new Set([...FIRST_TIERS, 'economy'])

export function stormFigures(storm: FleetScenario, played: Played, servedMs: number): StormFigures {
  const fault = faultSpan(storm)
  const endMs = storm.durationS * SECOND_MS
  const isServed = (visit: Visited) => isInTime(visit, servedMs) && MODEL_TIERS.has(visit.firstTier)
  const of = (span: Span) => phaseFigures(played, span, isServed)
  const seconds = Array.from({ length: storm.durationS }, (_, index): Second => {
    const visits = played.visits.filter(({ atMs }) => Math.floor(atMs / SECOND_MS) === index)
    const good = visits.filter(isServed)
    return {
      ...NOTHING,
      arrivals: visits.length,
      attempts: played.calls[index] ?? 0,
      good: good.length,
      goodOfFirst: good.filter(({ firstTier }) => FIRST_TIERS.has(firstTier)).length,
    }
  })
  const { recoveryMs } = figuresOf(seconds, { faults: fault, firstWordsMs: [], microUsd: 0 })
  return {
    phases: {
      before: of({ fromMs: 0, toMs: fault.fromMs }),
      during: of(fault),
      after: of({ fromMs: fault.toMs, toMs: endMs }),
    },
    recoveryS: recoveryMs === null ? Number.NaN : recoveryMs / SECOND_MS,
    servedBySecond: seconds.map(({ good }) => good),
  }
}

const NOTHING: Second = {
  arrivals: 0,
  attempts: 0,
  failedAttempts: 0,
  causedAttempts: 0,
  good: 0,
  goodOfFirst: 0,
  answered: 0,
  ends: {},
  waiting: 0,
  inFlight: 0,
  lanes: {},
  nodes: 0,
}

function isInTime({ atMs, firstWordMs }: Visited, servedMs: number): boolean {
  return firstWordMs !== undefined && firstWordMs - atMs <= servedMs
}

function phaseFigures(
  { calls, openedAtMs, visits: all }: Played,
  { fromMs, toMs }: Span,
  isServed: (visit: Visited) => boolean,
): PhaseFigures {
  const visits = all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const waits = visits.flatMap(({ atMs, firstWordMs }) => (firstWordMs === undefined ? [] : [firstWordMs - atMs]))
  const called = calls.slice(fromMs / SECOND_MS, toMs / SECOND_MS).reduce((sum, count) => sum + count, 0)
  const shareOf = (isIt: (tier: string | undefined) => boolean) =>
    visits.filter(({ firstTier }) => isIt(firstTier)).length / visits.length
  return {
    served: visits.filter(isServed).length / visits.length,
    callsAnArrival: called / visits.length,
    p50: secondsAt(waits, 0.5),
    p95: secondsAt(waits, 0.95),
    p99: secondsAt(waits, 0.99),
    openings: openedAtMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length,
    tiers: {
      primary: shareOf((tier) => FIRST_TIERS.has(tier)),
      economy: shareOf((tier) => tier === 'economy'),
      none: shareOf((tier) => !MODEL_TIERS.has(tier)),
    },
  }
}

/** Nearest rank. */
function secondsAt(waitsMs: readonly number[], share: number): number {
  const sorted = waitsMs.toSorted((one, other) => one - other)
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / SECOND_MS
}
