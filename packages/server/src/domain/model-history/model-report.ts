// Makes the report of a stretch of time from its steps: figures and faults of each model, and the phases of each lane. Pure.
import { within } from '#lib/rates/duration-counts.ts'
import type { Price } from '../budget/money.ts'
import type { Rejected } from '../model/rejections.ts'
import type { EstimatorStatus } from '../estimator/estimates.ts'
import { phasesOf } from './lane-phases.ts'
import type { LanePhases, ReportedLane, Stretch } from './lane-phases.ts'
import { ALL_TURNS, CALL_MS, durationCounts, faultKey, HISTORY_STEP_MS } from './model-meter.ts'
import type { CountedFault, HistoryStep } from './model-meter.ts'

export interface ReportedModel {
  /** Its configured name. */
  readonly name: string
  /** The vendor's id. */
  readonly id: string
  readonly lane: string
  readonly price: Price
}

export interface ModelReportParts extends Stretch {
  readonly steps: readonly HistoryStep[]
  readonly models: readonly ReportedModel[]
  readonly lanes: readonly (ReportedLane & { readonly rejected: readonly Rejected[] })[]
  /** By configured name; undefined for the built-in model. */
  readonly estimatorOf: (model: string) => EstimatorStatus | undefined
}

interface Figures {
  readonly calls: number
  readonly failures: number
  /** Turns that this model answered. */
  readonly answers: number
  readonly costMicroUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly firstWordsP50Ms: number | null
  readonly firstWordsP95Ms: number | null
  readonly totalP50Ms: number | null
  readonly totalP95Ms: number | null
}

export interface ModelReport extends Figures {
  readonly name: string
  /** Null for a model that is not configured any more, as are lane and price. */
  readonly id: string | null
  readonly lane: string | null
  readonly price: Price | null
  /** That its vendor rejects its calls now, whatever the time of the report. */
  readonly rejected: Rejected | null
  /** As it is now. */
  readonly estimator: EstimatorStatus | null
  readonly outcomes: Readonly<Record<string, number>>
  /** Most frequent first, at most `FAULTS_SHOWN`. */
  readonly faults: readonly CountedFault[]
  readonly history: readonly (Figures & { readonly at: number })[]
}

export interface ModelsReport extends Stretch {
  /** The length of a step of each history. */
  readonly stepMs: number
  /** Ended turns, and how many of them each answer tier answered. */
  readonly turns: number
  readonly tiers: Readonly<Record<string, number>>
  readonly models: readonly ModelReport[]
  readonly lanes: readonly LanePhases[]
}

const DAY_MS = 86_400_000
/** For longer stretches a step is an hour, so that a chart has at most some two hundred. */
const LONG_STEP_MS = 4 * HISTORY_STEP_MS
const FAULTS_SHOWN = 50
const MEDIAN = 0.5
const SLOWEST = 0.95

export function modelsReport({ estimatorOf, from, lanes, models, steps, to }: ModelReportParts): ModelsReport {
  const stepMs = to - from > DAY_MS ? LONG_STEP_MS : HISTORY_STEP_MS
  const turns = summed(steps, ALL_TURNS)
  const seen = steps.flatMap(({ counts }) => counts.map(({ of }) => of)).filter((of) => of !== ALL_TURNS)
  const names = new Set([...models.map(({ name }) => name), ...seen])
  const changes = steps.flatMap((step) => step.changes)
  return {
    from,
    to,
    stepMs,
    turns: turns['turns'] ?? 0,
    tiers: named(turns, 'tier:'),
    models: [...names].map((name) => {
      const known = models.find((model) => model.name === name)
      const sums = summed(steps, name)
      return {
        name,
        id: known?.id ?? null,
        lane: known?.lane ?? null,
        price: known?.price ?? null,
        rejected: lanes.flatMap(({ rejected }) => rejected).find(({ model }) => model === name) ?? null,
        estimator: estimatorOf(name) ?? null,
        ...figuresOf(sums),
        outcomes: named(sums, 'outcome:'),
        faults: faultsOf(steps, name),
        history: historyOf({ from, to, steps }, stepMs, name),
      }
    }),
    lanes: phasesOf({ from, to, lanes, changes }),
  }
}

type Sums = Readonly<Record<string, number>>

function summed(steps: readonly HistoryStep[], of: string): Sums {
  const sums: Record<string, number> = {}
  for (const step of steps)
    for (const counted of step.counts)
      if (counted.of === of)
        for (const [name, count] of Object.entries(counted.counts)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

function figuresOf(sums: Sums): Figures {
  const first = durationCounts(sums, 'first:')
  const total = durationCounts(sums, 'total:')
  return {
    calls: sums['calls'] ?? 0,
    failures: sums['failures'] ?? 0,
    answers: sums['answers'] ?? 0,
    costMicroUsd: sums['cost'] ?? 0,
    inputTokens: sums['input'] ?? 0,
    outputTokens: sums['output'] ?? 0,
    firstWordsP50Ms: within(CALL_MS, first, MEDIAN),
    firstWordsP95Ms: within(CALL_MS, first, SLOWEST),
    totalP50Ms: within(CALL_MS, total, MEDIAN),
    totalP95Ms: within(CALL_MS, total, SLOWEST),
  }
}

/** The counts whose names begin with the prefix, without it; most frequent first. */
function named(sums: Sums, prefix: string): Sums {
  const found = Object.entries(sums).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(
    found.toSorted(([, one], [, other]) => other - one).map(([name, count]) => [name.slice(prefix.length), count]),
  )
}

function faultsOf(steps: readonly HistoryStep[], model: string): readonly CountedFault[] {
  const byKey = new Map<string, CountedFault>()
  for (const { faults } of steps)
    for (const fault of faults) {
      if (fault.model !== model) continue
      const known = byKey.get(faultKey(fault))
      const last = known !== undefined && known.lastAt > fault.lastAt ? known : fault
      byKey.set(faultKey(fault), { ...last, count: (known?.count ?? 0) + fault.count })
    }
  return [...byKey.values()].toSorted((one, other) => other.count - one.count).slice(0, FAULTS_SHOWN)
}

/** A step for all of the time, also where nothing happened. */
function historyOf({ from, steps, to }: Stretch & Pick<ModelReportParts, 'steps'>, stepMs: number, name: string) {
  const begin = (at: number) => Math.floor(at / stepMs) * stepMs
  const byStep = Map.groupBy(steps, ({ at }) => begin(at))
  const history: (Figures & { readonly at: number })[] = []
  for (let at = begin(from); at < to; at += stepMs)
    history.push({ at, ...figuresOf(summed(byStep.get(at) ?? [], name)) })
  return history
}
