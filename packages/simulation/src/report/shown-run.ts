// The label and the style of each run on the page, the same in every chart.
import type { FleetRun, PolicyName } from '../fleet/fleet-run.ts'

export interface Shown {
  readonly run: FleetRun
  readonly label: string
  /** CSS class of the page. */
  readonly cssClass: string
}

/** A chart with more lines than this is unreadable. */
export const RUNS_MAX = 6

const COLOURS: Readonly<Record<PolicyName, number>> = { ours: 0, naive: 1, reference: 2, sdk: 3 }

/** A policy has the same colour in every chart and page, unless several runs have the same policy. */
export function shownRuns(runs: readonly FleetRun[]): readonly Shown[] {
  const drawn = runs.slice(0, RUNS_MAX)
  const isEach = new Set(drawn.map(({ policy }) => policy)).size === drawn.length
  return drawn.map((run, index) => ({
    run,
    label: labelOf(run, drawn),
    cssClass: `c${isEach ? COLOURS[run.policy] : index}`,
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
