// Computes the figures of a run from its seconds, and the median and worst figures of many runs. Pure; reports print
// these definitions beside the figures.
import type { Figures, FleetRun, Second, Span } from './fleet-run.ts'

export interface FigureParts {
  readonly faults: Span
  /** Milliseconds from arrival to the first word, for every answer that had one; in any order. */
  readonly firstWordsMs: readonly number[]
  readonly microUsd: number
}

const SECOND_MS = 1000
/** A retry storm may start only after the faults have ended. */
const AFTER_MS = 60_000
/** A second with fewer arrivals is merged with the next one: a ratio over so few means nothing. */
const ARRIVALS_MIN = 5
const RECOVERED_SECONDS = 5
const RECOVERED_SHARE = 0.9

/** Totals cover the whole run; goodput and the mean amplification only the time of the faults. */
export function figuresOf(seconds: readonly Second[], { faults, firstWordsMs, microUsd }: FigureParts): Figures {
  const within = secondsOf(seconds, faults)
  const watched = secondsOf(seconds, { ...faults, toMs: faults.toMs + AFTER_MS })
  const arrivals = total(seconds, 'arrivals')
  const sorted = Float64Array.from(firstWordsMs).sort()
  return {
    arrivals,
    attempts: total(seconds, 'attempts'),
    failedAttempts: total(seconds, 'failedAttempts'),
    amplification: {
      mean: ratio(total(within, 'attempts'), total(within, 'arrivals')),
      peak: peakOf(watched, 'attempts'),
      peakOfArrivals: peakOf(watched, 'causedAttempts'),
    },
    goodput: total(within, 'arrivals') === 0 ? 1 : total(within, 'good') / total(within, 'arrivals'),
    recoveryMs: recoveryOf(seconds, faults.toMs),
    unanswered: arrivals - total(seconds, 'answered'),
    firstWordMs: { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) },
    microUsd,
  }
}

/** Takes the median and the worst of each figure separately. Needs at least one run. */
export function compare(runs: readonly Pick<FleetRun, 'figures'>[]): {
  readonly median: Figures
  readonly worst: Figures
} {
  if (runs.length === 0) throw new Error('there are no runs to compare')
  return { median: combine(runs, median, median), worst: combine(runs, Math.max, Math.min) }
}

type Choice = (...values: number[]) => number

/** For every figure but goodput, more is worse. */
function combine(runs: readonly Pick<FleetRun, 'figures'>[], ofBad: Choice, ofGood: Choice): Figures {
  const bad = (read: (figures: Figures) => number) => ofBad(...runs.map(({ figures }) => read(figures)))
  const recoveryMs = bad((figures) => figures.recoveryMs ?? Infinity)
  return {
    arrivals: bad(({ arrivals }) => arrivals),
    attempts: bad(({ attempts }) => attempts),
    failedAttempts: bad(({ failedAttempts }) => failedAttempts),
    amplification: {
      mean: bad((of) => of.amplification.mean),
      peak: bad((of) => of.amplification.peak),
      peakOfArrivals: bad((of) => of.amplification.peakOfArrivals),
    },
    goodput: ofGood(...runs.map(({ figures }) => figures.goodput)),
    recoveryMs: recoveryMs === Infinity ? null : recoveryMs,
    unanswered: bad(({ unanswered }) => unanswered),
    firstWordMs: {
      p50: bad((of) => of.firstWordMs.p50),
      p95: bad((of) => of.firstWordMs.p95),
      p99: bad((of) => of.firstWordMs.p99),
    },
    microUsd: Math.round(bad(({ microUsd }) => microUsd)),
  }
}

function median(...values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === high ? low : (low + high) / 2
}

/** Returns every second that overlaps the span. */
function secondsOf(seconds: readonly Second[], { fromMs, toMs }: Span): readonly Second[] {
  return seconds.slice(Math.floor(fromMs / SECOND_MS), Math.ceil(toMs / SECOND_MS))
}

function total(
  seconds: readonly Second[],
  of: 'arrivals' | 'attempts' | 'failedAttempts' | 'good' | 'answered',
): number {
  return seconds.reduce((sum, second) => sum + second[of], 0)
}

function ratio(attempts: number, arrivals: number): number {
  return arrivals === 0 ? 0 : attempts / arrivals
}

function peakOf(seconds: readonly Second[], field: 'attempts' | 'causedAttempts'): number {
  let peak = 0
  let [attempts, arrivals] = [0, 0]
  // The last group with enough arrivals; the remainder at the end is merged with it.
  let last = { attempts: 0, arrivals: 0 }
  for (const second of seconds) {
    attempts += second[field]
    arrivals += second.arrivals
    if (arrivals < ARRIVALS_MIN) continue
    peak = Math.max(peak, ratio(attempts, arrivals))
    last = { attempts, arrivals }
    ;[attempts, arrivals] = [0, 0]
  }
  return Math.max(peak, ratio(last.attempts + attempts, last.arrivals + arrivals))
}

/**
 * Time from heal to the first of five consecutive seconds that are good together; null when the run has none. A single second says little: of a dozen
 * arrivals two may have been answered by a hedge.
 */
function recoveryOf(seconds: readonly Second[], healedAtMs: number): number | null {
  for (let first = Math.ceil(healedAtMs / SECOND_MS); first + RECOVERED_SECONDS <= seconds.length; first += 1) {
    const together = seconds.slice(first, first + RECOVERED_SECONDS)
    const sum = (of: 'arrivals' | 'goodOfFirst') => together.reduce((total, second) => total + second[of], 0)
    if (sum('arrivals') >= ARRIVALS_MIN && sum('goodOfFirst') >= sum('arrivals') * RECOVERED_SHARE)
      return Math.max(0, first * SECOND_MS - healedAtMs)
  }
  return null
}

/** Nearest rank; 0 for an empty list. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
