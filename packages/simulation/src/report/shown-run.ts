// Runs as they stand beside each other on the page: what each is called and how it is drawn, the same in every chart.
import type { FleetRun, PolicyName } from '../fleet/fleet-run.ts'

export interface Shown {
  readonly run: FleetRun
  readonly label: string
  /** A class of the page's style. */
  readonly look: string
}

/** More lines than this nobody can follow in one chart. */
export const RUNS_MAX = 6

const PLACES: Readonly<Record<PolicyName, number>> = { ours: 0, naive: 1, reference: 2, sdk: 3 }

/** A policy keeps its colour from chart to chart and page to page, unless it stands here more than once. */
export function shownRuns(runs: readonly FleetRun[]): readonly Shown[] {
  const kept = runs.slice(0, RUNS_MAX)
  const isEach = new Set(kept.map(({ policy }) => policy)).size === kept.length
  return kept.map((run, index) => ({
    run,
    label: labelOf(run, kept),
    look: `c${isEach ? PLACES[run.policy] : index}`,
  }))
}

function labelOf(run: FleetRun, beside: readonly FleetRun[]): string {
  const differ = (part: 'seed' | 'nodes' | 'arrivalsPerSecond') => beside.some((other) => other[part] !== run[part])
  return [
    run.policy,
    ...(differ('seed') ? [`seed ${run.seed}`] : []),
    ...(differ('nodes') ? [`${run.nodes} nodes`] : []),
    ...(differ('arrivalsPerSecond') ? [`${run.arrivalsPerSecond}/s`] : []),
  ].join(' · ')
}
