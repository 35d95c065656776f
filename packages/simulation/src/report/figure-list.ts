// The figures of a run in display order, each with its name, its meaning and its format. Text, table and page all read
// this list, so that their definitions cannot differ.
import type { Figures } from '../fleet/fleet-run.ts'
import type { ScaleHint } from '../fleet/scale-hint.ts'
import { duration, percent, ratio, usd, whole } from './quantities.ts'

interface ShownFigure {
  readonly name: string
  /** Column heading. */
  readonly short: string
  readonly means: string
  text(figures: Figures): string
  /** Lower is better. Absent for figures that are neither good nor bad. */
  cost?(figures: Figures): number
}

export const PEAK: ShownFigure = {
  name: 'Amplification, peak',
  short: 'amp. peak',
  means: 'Provider calls per arrival, in the worst second from the start of the faults to 60 s after them.',
  text: ({ amplification }) => ratio(amplification.peak),
  cost: ({ amplification }) => amplification.peak,
}

export const PEAK_OF_ARRIVALS: ShownFigure = {
  name: 'Peak by arrivals',
  short: 'by arrivals',
  means:
    'The same, but each call counts in the second of the arrival that caused it: retries count, a draining queue does not.',
  text: ({ amplification }) => ratio(amplification.peakOfArrivals),
  cost: ({ amplification }) => amplification.peakOfArrivals,
}

export const MEAN: ShownFigure = {
  name: 'Amplification, mean',
  short: 'amp. mean',
  means: 'Provider calls ÷ arrivals, over the whole time of the faults. 1.00 is no extra load.',
  text: ({ amplification }) => ratio(amplification.mean),
  cost: ({ amplification }) => amplification.mean,
}

export const GOODPUT: ShownFigure = {
  name: 'Goodput',
  short: 'goodput',
  means: 'Share of arrivals during the faults that saw a model’s first word, or a fresh cached answer, in time.',
  text: ({ goodput }) => percent(goodput),
  cost: ({ goodput }) => -goodput,
}

export const RECOVERY: ShownFigure = {
  name: 'Recovery',
  short: 'recovery',
  means:
    'Time from the end of the faults until the first model of the ladder serves at least 90 % in time for 5 s in a row. Never: not within the run.',
  text: ({ recoveryMs }) => (recoveryMs === null ? 'never' : duration(recoveryMs)),
  cost: ({ recoveryMs }) => recoveryMs ?? Infinity,
}

export const FAILED: ShownFigure = {
  name: 'Failed calls',
  short: 'failed calls',
  means: 'Provider calls that ended with a 429, a 5xx, a timeout or a broken stream, in the whole run.',
  text: ({ failedAttempts }) => whole(failedAttempts),
  cost: ({ failedAttempts }) => failedAttempts,
}

export const UNANSWERED: ShownFigure = {
  name: 'Unanswered',
  short: 'unanswered',
  means: 'Arrivals that got no answer of any kind: no model, no fallback, no deferred answer.',
  text: ({ unanswered }) => whole(unanswered),
  cost: ({ unanswered }) => unanswered,
}

export const FIRST_WORD_P99: ShownFigure = {
  name: 'First word, p99',
  short: 'p99 1st word',
  means: '99 % of the first words came within this time.',
  text: ({ firstWordMs }) => duration(firstWordMs.p99),
  cost: ({ firstWordMs }) => firstWordMs.p99,
}

const FIRST_WORD_P50: ShownFigure = {
  name: 'First word, p50',
  short: 'p50 1st word',
  means: 'Half of the first words came within this time.',
  text: ({ firstWordMs }) => duration(firstWordMs.p50),
  cost: ({ firstWordMs }) => firstWordMs.p50,
}

const ARRIVALS: ShownFigure = {
  name: 'Arrivals',
  short: 'arrivals',
  means: 'Shoppers with a question, in the whole run. A repeated question is not a new arrival.',
  text: ({ arrivals }) => whole(arrivals),
}

const ATTEMPTS: ShownFigure = {
  name: 'Provider calls',
  short: 'calls',
  means: 'Calls that reached a provider, on any lane, in the whole run: first tries and retries.',
  text: ({ attempts }) => whole(attempts),
  cost: ({ attempts }) => attempts,
}

const COST: ShownFigure = {
  name: 'Cost',
  short: 'cost',
  means: 'The providers’ charges for the whole run.',
  text: ({ microUsd }) => usd(microUsd),
}

export const ALL_FIGURES: readonly ShownFigure[] = [
  PEAK,
  PEAK_OF_ARRIVALS,
  MEAN,
  GOODPUT,
  RECOVERY,
  FAILED,
  UNANSWERED,
  FIRST_WORD_P50,
  FIRST_WORD_P99,
  ARRIVALS,
  ATTEMPTS,
  COST,
]

export function scaleMeaning({ peakPerSecond }: ScaleHint): string {
  return `For ${whole(peakPerSecond)} arrivals in the busiest second, by the limits of a node, with one to spare. Each model by itself, with a quarter to spare, from the tokens that a call was measured to use.`
}

/** The entries that are best at a figure; none when all are equal. */
export function bestAt(figure: ShownFigure, of: readonly Figures[]): ReadonlySet<Figures> {
  const costs = of.map((figures) => figure.cost?.(figures) ?? 0)
  const least = Math.min(...costs)
  if (costs.every((cost) => cost === least)) return new Set()
  return new Set(of.filter((_, index) => costs[index] === least))
}
