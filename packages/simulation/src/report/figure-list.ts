// The figures of a run in the order in which they are told, each with its name, its meaning in plain words and its way
// of being written. Text, table and page all read this list, so that they cannot come to mean different things.
import type { Figures } from '../fleet/fleet-run.ts'
import { duration, percent, ratio, usd, whole } from './quantities.ts'

interface ShownFigure {
  readonly name: string
  /** For a column's head. */
  readonly short: string
  readonly means: string
  text(figures: Figures): string
  /** Less is better. Absent where neither is. */
  cost?(figures: Figures): number
}

export const PEAK: ShownFigure = {
  name: 'Amplification, peak',
  short: 'amp. peak',
  means: 'Provider calls per person who came, in the worst second from the start of the faults to 60 s after them.',
  text: ({ amplification }) => ratio(amplification.peak),
  cost: ({ amplification }) => amplification.peak,
}

export const PEAK_OF_ARRIVALS: ShownFigure = {
  name: 'Peak by arrivals',
  short: 'by arrivals',
  means:
    'The same, but of each second all calls that those who came in it caused, whenever: retries count, a line that drains does not.',
  text: ({ amplification }) => ratio(amplification.peakOfArrivals),
  cost: ({ amplification }) => amplification.peakOfArrivals,
}

export const MEAN: ShownFigure = {
  name: 'Amplification, mean',
  short: 'amp. mean',
  means: 'Provider calls ÷ people who came, over the whole span of the faults. 1.00 is no extra load.',
  text: ({ amplification }) => ratio(amplification.mean),
  cost: ({ amplification }) => amplification.mean,
}

export const GOODPUT: ShownFigure = {
  name: 'Goodput',
  short: 'goodput',
  means: 'Share of those who came during the faults and saw a model’s first word before their patience ran out.',
  text: ({ goodput }) => percent(goodput),
  cost: ({ goodput }) => -goodput,
}

export const RECOVERY: ShownFigure = {
  name: 'Recovery',
  short: 'recovery',
  means:
    'From the heal until, for 5 s running, at least 90 % are served in time by the first model of the ladder. Never: not within the run.',
  text: ({ recoveryMs }) => (recoveryMs === null ? 'never' : duration(recoveryMs)),
  cost: ({ recoveryMs }) => recoveryMs ?? Infinity,
}

export const FAILED: ShownFigure = {
  name: 'Failed calls',
  short: 'failed calls',
  means: 'Provider calls that ended in a refusal (429), an error (5xx), a time-out or a cut, in the whole run.',
  text: ({ failedAttempts }) => whole(failedAttempts),
  cost: ({ failedAttempts }) => failedAttempts,
}

export const UNANSWERED: ShownFigure = {
  name: 'Unanswered',
  short: 'unanswered',
  means: 'People who never got an answer of any kind: no model, no fallback, no kept promise to come back.',
  text: ({ unanswered }) => whole(unanswered),
  cost: ({ unanswered }) => unanswered,
}

export const FIRST_WORD_P99: ShownFigure = {
  name: 'First word, p99',
  short: 'p99 1st word',
  means: 'Of all whose first word came, 99 in 100 waited no longer than this for it.',
  text: ({ firstWordMs }) => duration(firstWordMs.p99),
  cost: ({ firstWordMs }) => firstWordMs.p99,
}

const FIRST_WORD_P50: ShownFigure = {
  name: 'First word, p50',
  short: 'p50 1st word',
  means: 'Of all whose first word came, half waited no longer than this for it.',
  text: ({ firstWordMs }) => duration(firstWordMs.p50),
  cost: ({ firstWordMs }) => firstWordMs.p50,
}

const ARRIVALS: ShownFigure = {
  name: 'Arrivals',
  short: 'arrivals',
  means: 'People who came with a question, in the whole run. Asking again is not coming again.',
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
  means: 'What the providers charged for the whole run.',
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

/** Which of several are best at a figure; none when all are alike. */
export function bestAt(figure: ShownFigure, of: readonly Figures[]): ReadonlySet<Figures> {
  const costs = of.map((figures) => figure.cost?.(figures) ?? 0)
  const least = Math.min(...costs)
  if (costs.every((cost) => cost === least)) return new Set()
  return new Set(of.filter((_, index) => costs[index] === least))
}
