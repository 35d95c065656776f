// The lane of a standalone node, while the shared lane is unavailable: the same controller, started from the last known state of
// the cluster with this node's share of the limit. Like after an opening, it starts slowly and without retries.
import { adaptivePolicy } from './adaptive-policy.ts'
import { LocalLane } from './local-lane.ts'
import type { LanePolicy } from './policy.ts'
import { referencePolicy } from './reference-policy.ts'
import { startState } from './state.ts'
import type { LaneState, Open, Recovering } from './state.ts'

export interface LastSeen {
  readonly state: LaneState
  readonly inFlight: number
  /** How many nodes use the lane, including this one. */
  readonly nodes: number
}

/** A lane without a limit gets one of this many times its usual number in flight. */
const HEADROOM = 2

export function standaloneLane(
  policy: LanePolicy,
  last: LastSeen | undefined,
  { now, float }: { readonly now: number; readonly float: () => number },
): LocalLane {
  const nodes = Math.max(1, last?.nodes ?? 1)
  const state = last === undefined ? startState(policy.name, now) : stateOf(last, policy, { now, float: float() })
  return new LocalLane({ policy: shared(policy, nodes), float, now, state })
}

function shared({ name, settings }: LanePolicy, nodes: number): LanePolicy {
  const limit = { ...settings.limit, floor: Math.max(1, Math.floor(settings.limit.floor / nodes)) }
  return name === 'adaptive' ? adaptivePolicy({ ...settings, limit }) : referencePolicy({ ...settings, limit })
}

function stateOf(last: LastSeen, policy: LanePolicy, moment: { now: number; float: number }): LaneState {
  const { phase } = last.state
  if (phase.kind === 'open' || phase.kind === 'half-open') {
    // Every node now probes by itself, at a random moment, and not before the cluster would have.
    const { openedMs, goodWaitMs } = phase
    const goodInFlight = Math.ceil(phase.goodInFlight / last.nodes)
    const from = phase.kind === 'open' ? Math.max(phase.until, moment.now) : moment.now
    const until = from + Math.round(openedMs * moment.float)
    const open: Open = { kind: 'open', since: moment.now, until, openedMs, goodInFlight, goodWaitMs }
    return { ...last.state, epoch: last.state.epoch + 1, phase: open }
  }
  // The reference policy has no limit, and so no slow start.
  if (policy.name === 'reference') return last.state
  const usual = Math.max(phase.goodInFlight, last.inFlight) * HEADROOM
  const shared = phase.limit ?? Math.max(policy.settings.limit.floor * last.nodes, usual)
  const own = Math.max(1, Math.floor(shared / last.nodes))
  const { openedMs } = phase
  const good = { goodInFlight: own, goodWaitMs: phase.goodWaitMs }
  const slow: Recovering = { kind: 'recovering', since: moment.now, openedMs, ...good, limit: half(own) }
  return { ...last.state, phase: slow }
}

function half(own: number): number {
  return Math.ceil(own / 2)
}
