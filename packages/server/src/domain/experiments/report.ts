// The report of an experiment from the records of its turns: for each arm and outcome the difference to control with its
// always-valid interval, the units that a stated effect needs, and a check of the split. Pure, and one pass over the records.
import type { TurnRecord } from '../turn-records/turn-record.ts'
import { CONTROL, HOLDOUT } from './assign.ts'
import { OUTCOMES, outcomeMeasures } from './outcomes.ts'
import type { ExperimentOutcome, OutcomeMeasure } from './outcomes.ts'
import { ALPHA, differenceInterval, splitCheck, unitsNeeded } from './statistics.ts'
import type { Interval, Sample, SplitCheck, UnitsNeeded } from './statistics.ts'
import { Tally } from './tally.ts'
import type { ArmFigures } from './tally.ts'

export interface ReportAsked {
  readonly experiment: string
  /** The weights of the arms. */
  readonly arms: Readonly<Record<string, number>>
  /** When an arm was stopped: it is compared with what control had until then. */
  readonly stoppedArms?: Readonly<Record<string, number>>
  /** The relative effect that the experiment should be able to find, such as 0.05. */
  readonly effect: number
  readonly unitsMax?: number
}

/** `higher` and `lower`: the interval excludes zero. `alike`: it excludes the asked effect in both directions. */
export type EffectVerdict = 'higher' | 'lower' | 'alike' | 'undecided'

export interface OutcomeReport {
  readonly outcome: ExperimentOutcome
  readonly kind: OutcomeMeasure['kind']
  readonly better: OutcomeMeasure['better']
  /** Units that have a value. */
  readonly units: number
  readonly mean: number
  readonly control: number
  readonly difference: number
  /** Null while there are too few units, or none of them differs. */
  readonly interval: Interval | null
  /** The difference and its interval as parts of control's mean; null where that is 0. */
  readonly relative: { readonly difference: number; readonly interval: Interval | null } | null
  readonly verdict: EffectVerdict
  /** Units of each arm that the asked effect needs; null while the outcome does not vary. */
  readonly needed: UnitsNeeded | null
}

export interface ArmReport {
  readonly arm: string
  readonly turns: number
  readonly units: number
  readonly stoppedAt: number | null
  /** In the order of the table of outcomes; empty for control. */
  readonly outcomes: readonly OutcomeReport[]
}

export interface ExperimentReport {
  readonly experiment: string
  readonly effect: number
  readonly turns: number
  readonly units: number
  /** Below 1: there were too many units for memory, and only this share of them was counted. */
  readonly sampledShare: number
  /** The confidence of each interval, chosen so that the intervals of one outcome hold in all arms together with 95 %. */
  readonly confidence: number
  readonly split: SplitCheck
  /** Control first, then the others by name, then the holdout. */
  readonly arms: readonly ArmReport[]
}

export async function buildReport(
  records: AsyncIterable<TurnRecord> | Iterable<TurnRecord>,
  { experiment, arms, stoppedArms = {}, effect, unitsMax }: ReportAsked,
): Promise<ExperimentReport> {
  const whole = new Tally(unitsMax)
  // The data that a stopped arm is compared with: only records before its stop, because control may change afterwards.
  const untilStop = Object.entries(stoppedArms).map(([arm, at]) => ({ arm, at, tally: new Tally(unitsMax) }))
  for await (const record of records) {
    const exposure = record.routing?.exposures.find((one) => one.experiment === experiment)
    if (record.routing === undefined || exposure === undefined) continue
    whole.add(exposure.arm, record.routing.unit, record)
    for (const { arm, at, tally } of untilStop) {
      const isCompared = exposure.arm === arm || exposure.arm === CONTROL
      if (isCompared && record.at < at) tally.add(exposure.arm, record.routing.unit, record)
    }
  }

  const others = Object.keys(arms).filter((arm) => arm !== CONTROL)
  // Each further arm is another chance to differ by accident. The holdout decides nothing and is not counted.
  const alpha = ALPHA / Math.max(1, others.length)
  const reportOf = (arm: string): ArmReport => {
    const stop = untilStop.find((one) => one.arm === arm)
    const tally = stop?.tally ?? whole
    const figures = tally.figures(arm)
    const control = tally.figures(CONTROL)
    const against = { control, effect, alpha }
    const outcomes = arm === CONTROL ? [] : OUTCOMES.map((outcome) => compare(outcome, figures, against))
    return { arm, turns: figures.turns, units: figures.units, stoppedAt: stop?.at ?? null, outcomes }
  }

  const reports = [CONTROL, ...others.toSorted(), HOLDOUT].map(reportOf)
  // A stopped arm gets no more units: the split is checked among the others.
  const split = reports.flatMap(({ arm, units, stoppedAt }) =>
    stoppedAt === null && Object.hasOwn(arms, arm) ? [{ units, weight: arms[arm]! }] : [],
  )
  return {
    experiment,
    effect,
    turns: reports.reduce((sum, { turns }) => sum + turns, 0),
    units: reports.reduce((sum, { units }) => sum + units, 0),
    sampledShare: whole.sampledShare,
    confidence: 1 - alpha,
    split: splitCheck(split),
    arms: reports,
  }
}

function compare(
  outcome: ExperimentOutcome,
  { samples }: ArmFigures,
  { control, effect, alpha }: { readonly control: ArmFigures; readonly effect: number; readonly alpha: number },
): OutcomeReport {
  const [own, other] = [samples[outcome], control.samples[outcome]]
  const interval = differenceInterval(own, other, alpha) ?? null
  const difference = own.mean - other.mean
  const { kind, better } = outcomeMeasures[outcome]
  return {
    outcome,
    kind,
    better,
    units: own.units,
    mean: own.mean,
    control: other.mean,
    difference,
    interval,
    relative: other.mean === 0 ? null : relativeTo(other.mean, difference, interval),
    verdict: verdictOf(interval, effect * Math.abs(other.mean)),
    needed: unitsNeeded(varianceOf(own, other), effect * other.mean, alpha) ?? null,
  }
}

function relativeTo(mean: number, difference: number, interval: Interval | null): OutcomeReport['relative'] {
  const part = (value: number) => value / Math.abs(mean)
  return {
    difference: part(difference),
    interval: interval === null ? null : { low: part(interval.low), high: part(interval.high) },
  }
}

function verdictOf(interval: Interval | null, effect: number): EffectVerdict {
  if (interval === null) return 'undecided'
  if (interval.low > 0) return 'higher'
  if (interval.high < 0) return 'lower'
  return interval.low > -effect && interval.high < effect ? 'alike' : 'undecided'
}

const varianceOf = (one: Sample, other: Sample): number => (one.variance + other.variance) / 2
