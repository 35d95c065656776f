// Compares a storm on real processes with simulated ones of several seeds: a figure agrees where the real one is within the range
// of the seeds, widened by a stated tolerance. One real run has the chance of one seed, and the machine's own.
import type { Phase, PhaseFigures, StormFigures } from './played.ts'

/** The range is widened by the larger of an absolute part and a share of the median. */
interface Tolerance {
  readonly absolute: number
  readonly share: number
}

interface Figure {
  readonly name: string
  readonly of: (figures: PhaseFigures) => number
  readonly tolerance: Tolerance
  readonly show: (value: number) => string
}

export const PHASES = ['before', 'during', 'after'] as const satisfies readonly Phase[]

const percent = (share: number) => `${Math.round(share * 100)} %`
const seconds = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(2))

const SHARE: Tolerance = { absolute: 0.08, share: 0 }
const FIGURES: readonly Figure[] = [
  { name: 'served in time', of: ({ served }) => served, tolerance: SHARE, show: percent },
  {
    name: 'calls an arrival',
    of: ({ callsAnArrival }) => callsAnArrival,
    tolerance: { absolute: 0.15, share: 0 },
    show: (value) => value.toFixed(2),
  },
  { name: 'first word p50, s', of: ({ p50 }) => p50, tolerance: { absolute: 0.15, share: 0.15 }, show: seconds },
  { name: 'first word p95, s', of: ({ p95 }) => p95, tolerance: { absolute: 0.3, share: 0.15 }, show: seconds },
  { name: 'first word p99, s', of: ({ p99 }) => p99, tolerance: { absolute: 0.5, share: 0.2 }, show: seconds },
  { name: 'answered by primary', of: ({ tiers }) => tiers.primary, tolerance: SHARE, show: percent },
  { name: 'answered by economy', of: ({ tiers }) => tiers.economy, tolerance: SHARE, show: percent },
  { name: 'answered without a model', of: ({ tiers }) => tiers.none, tolerance: SHARE, show: percent },
  { name: 'circuits opened', of: ({ openings }) => openings, tolerance: { absolute: 1, share: 0 }, show: String },
]
const RECOVERY: Tolerance = { absolute: 3, share: 0 }

export interface Row {
  readonly name: string
  readonly cells: readonly string[]
  /** The phases in which the two disagree. */
  readonly differsIn: readonly string[]
}

export function rowsOf(simulated: readonly StormFigures[], real: StormFigures): readonly Row[] {
  return FIGURES.map((figure) => rowOf(figure, simulated, real))
}

function rowOf({ name, of, show, tolerance }: Figure, simulated: readonly StormFigures[], real: StormFigures): Row {
  const compared = PHASES.map((phase) => {
    const values = simulated.map(({ phases }) => of(phases[phase]))
    const value = of(real.phases[phase])
    return { phase, cells: [range(values, show), show(value)], agrees: agrees(values, value, tolerance) }
  })
  return {
    name,
    cells: compared.flatMap(({ cells }) => cells),
    differsIn: compared.flatMap(({ agrees: isSame, phase }) => (isSame ? [] : [phase])),
  }
}

/** Its one value is in the columns of `after`. */
export function recoveryRow(simulated: readonly StormFigures[], real: StormFigures): Row {
  const show = (value: number) => (Number.isFinite(value) ? value.toFixed(0) : 'never')
  const values = simulated.map(({ recoveryS }) => (Number.isNaN(recoveryS) ? Number.POSITIVE_INFINITY : recoveryS))
  const isSame = agrees(values, Number.isNaN(real.recoveryS) ? Number.POSITIVE_INFINITY : real.recoveryS, RECOVERY)
  return {
    name: 'back to normal after, s',
    cells: ['', '', '', '', range(values, show), show(real.recoveryS)],
    differsIn: isSame ? [] : ['after'],
  }
}

function range(values: readonly number[], show: (value: number) => string): string {
  const [least, median, most] = [0, 0.5, 1].map((share) => show(quantile(values, share)))
  return least === most ? `${median}` : `${median} (${least} – ${most})`
}

function agrees(values: readonly number[], real: number, { absolute, share }: Tolerance): boolean {
  // A phase without any word has no time of a first word.
  if (Number.isNaN(real)) return values.some(Number.isNaN)
  const known = values.filter((value) => !Number.isNaN(value))
  const spare = Math.max(absolute, share * quantile(known, 0.5))
  return real >= Math.min(...known) - spare && real <= Math.max(...known) + spare
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
}
