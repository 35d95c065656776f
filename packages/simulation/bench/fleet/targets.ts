// Compares the table with the targets: each with the median, the worst and whether it is met. Targets apply to medians; the worst is in
// brackets, and a peak also shows its value by arrivals, without the effect of a draining queue. Who serves more is judged by the differences of
// the same seeds: a policy is behind only where their 95 % interval is.
import type { FleetRun, PolicyName } from '../../src/fleet/fleet-run.ts'
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

type Run = Pick<FleetRun, 'scenario' | 'policy' | 'seed' | 'figures'>

export function targetsOf(rows: readonly ComparisonRow[], runs: readonly Run[]): readonly Target[] {
  const find = (scenario: string, policy: string) =>
    rows.find((row) => row.scenario === scenario && row.policy === policy)
  const [ours, naive] = [find(HEADLINE, 'ours'), find(HEADLINE, 'naive')]
  const scenarios = new Set(rows.map(({ scenario }) => scenario))
  return [
    ...(ours === undefined ? [] : headlineTargets(ours)),
    ...(ours === undefined || naive === undefined ? [] : [failedTarget(ours, naive)]),
    ...[...scenarios].flatMap((scenario) => {
      const mine = find(scenario, 'ours')
      const others = rows.filter((row) => row.scenario === scenario && row.policy !== 'ours')
      const best = others.toSorted((a, b) => b.median.goodput - a.median.goodput)[0]
      if (mine === undefined || best === undefined) return []
      return [servedTarget(mine, best, runs), callsTarget(mine, others)]
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

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

function servedTarget(ours: ComparisonRow, best: ComparisonRow, runs: readonly Run[]): Target {
  const { count, mean, noise } = differenceOf(runs, ours.scenario, best.policy)
  const points = (share: number) => (share * 100).toFixed(1)
  return {
    what: `${ours.scenario}: served ≥ the best other`,
    found: `${percent(ours.median.goodput)} against ${percent(best.median.goodput)} (${best.policy}); ${points(mean)} ± ${points(noise)} points`,
    isMet: count >= SEEDS_MIN && mean + noise >= 0,
  }
}

/** With fewer seeds nothing is beyond the noise. */
const SEEDS_MIN = 5

/** Served as many means: within a point. */
const AS_MANY = 0.01

function callsTarget({ median, scenario }: ComparisonRow, others: readonly ComparisonRow[]): Target {
  const equals = others.filter((row) => row.median.goodput >= median.goodput - AS_MANY)
  const least = Math.min(...equals.map((row) => row.median.amplification.mean))
  const { mean } = median.amplification
  return {
    what: `${scenario}: fewer calls than who serves as many`,
    found: `${mean.toFixed(2)} against ${least === Infinity ? 'nobody' : least.toFixed(2)}`,
    isMet: mean <= least,
  }
}

/** Quantiles of Student's distribution for a two-sided 95 % interval, by degrees of freedom. */
const STUDENT = [Infinity, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26]
const STUDENT_OF_MORE = 2.05

/** How much more of the arrivals of the same seeds we serve than `policy`, and the half width of its 95 % interval. */
function differenceOf(runs: readonly Run[], scenario: string, policy: PolicyName) {
  const of = (name: PolicyName) =>
    new Map(runs.filter((run) => run.scenario === scenario && run.policy === name).map((run) => [run.seed, run]))
  const theirs = of(policy)
  const differences = [...of('ours')].flatMap(([seed, { figures }]) => {
    const other = theirs.get(seed)
    return other === undefined ? [] : [figures.goodput - other.figures.goodput]
  })
  const count = differences.length
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(1, count)
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const deviation = count < 2 ? 0 : Math.sqrt(squares / (count - 1) / count)
  return { count, mean, noise: count < 2 ? Infinity : (STUDENT[count - 1] ?? STUDENT_OF_MORE) * deviation }
}
