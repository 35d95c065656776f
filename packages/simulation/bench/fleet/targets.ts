// Compares the table with the targets: each with the median, the worst and whether it is met. Targets apply to medians;
// the worst is in brackets, and a peak also shows its value by arrivals, without the effect of a draining queue.
import type { ComparisonRow } from '../../src/report/comparison.ts'
import { HEADLINE } from './table-plan.ts'

interface Target {
  readonly what: string
  readonly found: string
  readonly isMet: boolean
}

const PEAK_MAX = 1.2
const MEAN_MAX = 1.1
const RECOVERY_MS_MAX = 10_000
const FAILED_SHARE_MAX = 0.05

export function targetsOf(rows: readonly ComparisonRow[]): readonly Target[] {
  const find = (scenario: string, policy: string) =>
    rows.find((row) => row.scenario === scenario && row.policy === policy)
  const [ours, naive] = [find(HEADLINE, 'ours'), find(HEADLINE, 'naive')]
  const scenarios = new Set(rows.map(({ scenario }) => scenario))
  return [
    ...(ours === undefined ? [] : headlineTargets(ours)),
    ...(ours === undefined || naive === undefined ? [] : [failedTarget(ours, naive)]),
    ...[...scenarios].flatMap((scenario) => {
      const [mine, reference] = [find(scenario, 'ours'), find(scenario, 'reference')]
      return mine === undefined || reference === undefined ? [] : [goodputTarget(mine, reference)]
    }),
  ]
}

export function targetLines(targets: readonly Target[]): string {
  const width = Math.max(0, ...targets.map(({ what }) => what.length))
  const lines = targets.map(
    ({ found, isMet, what }) => `  ${isMet ? 'met    ' : 'NOT MET'}  ${what.padEnd(width)}  ${found}`,
  )
  const met = targets.filter(({ isMet }) => isMet).length
  return [`Targets: ${met} of ${targets.length} met, by medians (worst in brackets)`, ...lines, ''].join('\n')
}

function headlineTargets({ median, worst }: ComparisonRow): readonly Target[] {
  const most = (
    what: string,
    max: number,
    of: (figures: typeof median) => number,
    text: (value: number) => string,
  ) => ({
    what: `${HEADLINE}: ${what} ≤ ${text(max)}`,
    found: `${text(of(median))} (${text(of(worst))})`,
    isMet: of(median) <= max,
  })
  const ratio = (value: number) => value.toFixed(2)
  const peak = most('peak amplification', PEAK_MAX, ({ amplification }) => amplification.peak, ratio)
  const seconds = (ms: number) => (ms === Infinity ? 'never' : `${ms / 1000} s`)
  return [
    { ...peak, found: `${peak.found}; by arrivals ${ratio(median.amplification.peakOfArrivals)}` },
    most('mean amplification', MEAN_MAX, ({ amplification }) => amplification.mean, ratio),
    most('recovery', RECOVERY_MS_MAX, ({ recoveryMs }) => recoveryMs ?? Infinity, seconds),
    // No shopper may stay unanswered, so here the worst counts.
    {
      what: `${HEADLINE}: unanswered 0`,
      found: `${median.unanswered} (${worst.unanswered})`,
      isMet: worst.unanswered === 0,
    },
  ]
}

function failedTarget(ours: ComparisonRow, naive: ComparisonRow): Target {
  const share = (of: 'median' | 'worst') => ours[of].failedAttempts / Math.max(1, naive[of].failedAttempts)
  const text = (value: number) => `${(value * 100).toFixed(1)} %`
  return {
    what: `${HEADLINE}: failed calls ≤ ${FAILED_SHARE_MAX * 100} % of naive’s`,
    found: `${text(share('median'))} (${text(share('worst'))})`,
    isMet: share('median') <= FAILED_SHARE_MAX,
  }
}

function goodputTarget(ours: ComparisonRow, reference: ComparisonRow): Target {
  const text = ({ median, worst }: ComparisonRow) =>
    `${(median.goodput * 100).toFixed(1)} % (${(worst.goodput * 100).toFixed(1)} %)`
  return {
    what: `${ours.scenario}: goodput not below reference’s`,
    found: `${text(ours)} against ${text(reference)}`,
    isMet: ours.median.goodput >= reference.median.goodput,
  }
}
