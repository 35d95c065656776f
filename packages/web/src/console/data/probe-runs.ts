// Folds the changes of a circuit: an outage of an hour has hundreds of probes, two changes each, and an operator looks for when the circuit
// opened and when it closed. The server lists the newest probes only, so they are counted by the phases, which are complete. Pure.
import type { LaneChangeView, LanePhasesView } from '@mangaassist/protocol/admin'

type Spans = LanePhasesView['spans']

/** Successive probes of one outage. */
export interface ProbeRun {
  /** Newest first, as all changes are; the oldest may be missing. */
  readonly probes: readonly LaneChangeView[]
  readonly since: number
  readonly until: number
  readonly failed: number
}

export type ChangeRow = LaneChangeView | ProbeRun

export function foldProbes(changes: readonly LaneChangeView[], spans: Spans): ChangeRow[] {
  const runs: LaneChangeView[][] = []
  for (const change of changes) {
    const last = runs.at(-1)
    if (last !== undefined && isOfProbe(change) && last.every(isOfProbe)) last.push(change)
    else runs.push([change])
  }
  return runs.flatMap((run, index): ChangeRow[] => {
    if (run.length === 1) return run
    const opened = runs[index + 1]?.[0]
    const ended = runs[index - 1]?.at(-1)
    return [runOf(run, spans, [timeOf(opened, -Infinity), timeOf(ended, Infinity)])]
  })
}

function runOf(probes: readonly LaneChangeView[], spans: Spans, [opened, ended]: readonly [number, number]): ProbeRun {
  const began = spans
    .map(({ from, phase }) => ({ at: Date.parse(from), phase }))
    .filter(({ at }) => at > opened && at < ended)
  return {
    probes,
    since: Math.min(
      ...began.filter(({ phase }) => phase === 'half-open').map(({ at }) => at),
      timeOf(probes.at(-1), 0),
    ),
    until: timeOf(probes[0], 0),
    // The first phase of a report may have begun before it.
    failed: began.filter(({ at, phase }) => phase === 'open' && at > opened).length,
  }
}

function timeOf(change: LaneChangeView | undefined, otherwise: number): number {
  return change === undefined ? otherwise : Date.parse(change.at)
}

function isOfProbe({ why }: LaneChangeView): boolean {
  return why === 'probing' || why === 'probe-failed'
}
