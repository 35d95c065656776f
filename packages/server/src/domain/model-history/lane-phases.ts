// The phases of each lane over a stretch of time, from its changes. Before the first change the lane was in the phase that it left; without
// any it was always as it is now. Pure.
import type { LaneChange, LanePhase } from './lane-change.ts'

export interface Stretch {
  readonly from: number
  /** Not after now. */
  readonly to: number
}

export interface ReportedLane {
  readonly lane: string
  readonly models: readonly string[]
  readonly phase: LanePhase
}

interface PhaseSpan extends Stretch {
  readonly phase: LanePhase
}

export interface LanePhases {
  readonly lane: string
  readonly models: readonly string[]
  /** Absent for a lane that all nodes share. */
  readonly node?: string
  /** Oldest first and without gaps; begins later if the earlier phases are unknown. */
  readonly spans: readonly PhaseSpan[]
  readonly openMs: number
  /** How often its circuit opened; a failed probe continues an outage. */
  readonly openings: number
  /** Newest first, at most `CHANGES_SHOWN`; probes are left out first, so that a long outage still shows how it began. */
  readonly changes: readonly LaneChange[]
}

interface PhasesAsked extends Stretch {
  readonly lanes: readonly ReportedLane[]
  readonly changes: readonly LaneChange[]
}

const CHANGES_SHOWN = 200

/** A lane of single nodes has an entry for each node that has seen it change, or one without any. */
export function phasesOf({ changes, from, lanes, to }: PhasesAsked): readonly LanePhases[] {
  return lanes.flatMap((lane) => {
    const own = changes.filter((change) => change.lane === lane.lane).toSorted((one, other) => one.at - other.at)
    const byNode = Map.groupBy(own, ({ node }) => node)
    if (byNode.size === 0) byNode.set(undefined, [])
    return [...byNode].map(([node, of]) => ({
      lane: lane.lane,
      models: lane.models,
      ...(node === undefined ? {} : { node }),
      ...lanePhases(of, { from, to }, lane.phase),
    }))
  })
}

function lanePhases(changes: readonly LaneChange[], { from, to }: Stretch, current: LanePhase) {
  const spans: PhaseSpan[] = []
  const shown: LaneChange[] = []
  let phase = changes.length === 0 ? current : (changes[0]?.from ?? undefined)
  let since = from
  const end = (at: number) => {
    if (phase !== undefined && at > since) spans.push({ phase, from: since, to: at })
  }
  for (const change of changes) {
    if (change.at >= to) break
    // A node that starts says how it found the lane.
    if (change.why === 'started' && (change.to === phase || phase === undefined)) {
      if (phase === undefined) since = Math.max(from, change.at)
      phase = change.to
      continue
    }
    if (change.at >= from) {
      end(change.at)
      since = change.at
      shown.push(change)
    }
    phase = change.to
  }
  end(to)
  return {
    spans,
    openMs: spans.reduce((sum, span) => sum + (span.phase === 'open' ? span.to - span.from : 0), 0),
    openings: shown.filter(({ to: reached, why }) => reached === 'open' && why !== 'probe-failed').length,
    changes: newestOf(shown.toReversed()),
  }
}

/** A circuit that stays open changes with every probe, hundreds of times in an hour. */
function newestOf(changes: readonly LaneChange[]): readonly LaneChange[] {
  const isProbe = ({ why }: LaneChange) => why === 'probing' || why === 'probe-failed'
  const byWeight = [...changes.filter((change) => !isProbe(change)), ...changes.filter(isProbe)]
  const kept = new Set(byWeight.slice(0, CHANGES_SHOWN))
  return changes.filter((change) => kept.has(change))
}
