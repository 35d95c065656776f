// A change of a lane's circuit, as one node saw it, with the reason. All nodes see the changes of a shared lane: its id is the same on each, and the
// first that is stored is kept.
import type { LaneView } from '../lane/lane-view.ts'

export type LanePhase = LaneView['phase']

export const CHANGE_REASONS = [
  'started',
  'failures',
  'probing',
  'probe-failed',
  'probes-passed',
  'recovered',
  'force-open',
  'disable',
  'reset',
] as const
export type ChangeReason = (typeof CHANGE_REASONS)[number]

export interface LaneChange {
  readonly id: string
  readonly lane: string
  readonly at: number
  /** Null: the node has just started and does not know. */
  readonly from: LanePhase | null
  readonly to: LanePhase
  readonly why: ChangeReason
  /** The operator who acted. */
  readonly by?: string
  /** Calls and failures of the ten seconds before. */
  readonly calls: number
  readonly failures: number
  /** Where a lane belongs to one node: that node. */
  readonly node?: string
}

/** What a node knew of a lane at its last check. */
export interface LaneBefore {
  readonly phase: LanePhase
  /** When an operator had last acted on it. */
  readonly operatedAt: number | undefined
}

export interface SeenLane {
  readonly lane: string
  readonly view: Pick<LaneView, 'phase' | 'epoch' | 'operator' | 'recent'>
  readonly now: number
  /** The node that checks. */
  readonly node: string
  readonly isShared: boolean
}

/** The change since the last check; `before` is undefined at the first. */
export function changeOf({ isShared, lane, node, now, view }: SeenLane, before: LaneBefore | undefined): LaneChange {
  const { epoch, operator, phase, recent } = view
  const isOperated = before !== undefined && operator !== null && operator.at !== before.operatedAt
  const why = before === undefined ? 'started' : isOperated ? operator.action : reasonOf(before.phase, phase)
  const what = why === 'started' ? `${why} ${node}` : `${epoch} ${phase}`
  return {
    id: isShared ? `${lane} ${what}` : `${lane} ${node} ${what}`,
    lane,
    at: now,
    from: before?.phase ?? null,
    to: phase,
    why,
    ...(isOperated ? { by: operator.by } : {}),
    calls: recent.calls,
    failures: recent.failures,
    ...(isShared ? {} : { node }),
  }
}

function reasonOf(from: LanePhase, to: LanePhase): ChangeReason {
  if (to === 'open') return from === 'half-open' ? 'probe-failed' : 'failures'
  if (to === 'half-open') return 'probing'
  return from === 'half-open' ? 'probes-passed' : 'recovered'
}
