// Reports when the circuit of a lane opens and when the lane serves again: a circuit is open only for seconds at a time, so
// a gauge alone hides a total outage. A lane is down from its first opening until it serves again, however often it is
// probed in between. Called at every tick of the lanes.
import type { LaneView } from '#domain/lane/lane-view.ts'
import { changeOf } from '#domain/model-history/lane-change.ts'
import type { LaneChange } from '#domain/model-history/lane-change.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LaneWatchParts {
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Pick<Telemetry, 'count' | 'log' | 'observe'>
  readonly lanes: Pick<Lanes, 'seen'>
  /** The lanes of the ladder, each with the configured names of its models. */
  readonly modelLanes: ReadonlyMap<string, readonly string[]>
  /** Lanes of dependencies that are not models. */
  readonly nodeLanes: readonly Pick<NodeLane, 'name' | 'view' | 'refusedCalls'>[]
  /** The id of this node. */
  readonly node: string
  /** Gets every change of a circuit, and how each was found at the start. */
  readonly changed: (change: LaneChange) => void
}

export interface LaneWatch {
  /** Compares every lane with its state at the last call. */
  check(): void
  /** Counts a call that the open circuit refused. */
  refused(lane: string): void
  /** How long each lane has been down; 0 when it serves. */
  downMs(): ReadonlyMap<string, number>
  /** How long each lane was in which phase since the start, in milliseconds. */
  phasesMs(): ReadonlyMap<string, Readonly<Record<LaneView['phase'], number>>>
}

/** The phase of a lane since a moment, and how long it was in each before. */
interface Seen {
  phase: LaneView['phase']
  epoch: number
  operatedAt: number | undefined
  at: number
  readonly ms: Record<LaneView['phase'], number>
}

interface Down {
  readonly since: number
  epoch: number
  openings: number
  refused: number
}

export function createLaneWatch(parts: LaneWatchParts): LaneWatch {
  const { clock, telemetry, lanes, modelLanes, nodeLanes } = parts
  const down = new Map<string, Down>()
  const phases = new Map<string, Seen>()
  const seen = new Map<string, { readonly view: () => LaneView; readonly refusedCalls: () => number }>([
    ...[...modelLanes.keys()].map((lane) => [lane, { view: () => lanes.seen(lane), refusedCalls: () => 0 }] as const),
    ...nodeLanes.map(
      (lane) => [lane.name, { view: () => lane.view(), refusedCalls: () => lane.refusedCalls }] as const,
    ),
  ])
  /** A lane is named after the model's location; reports use the configured names of its models. */
  const namesOf = (lane: string) => modelLanes.get(lane) ?? [lane]
  const refusedBefore = (lane: string) => seen.get(lane)?.refusedCalls() ?? 0

  function follow(lane: string, view: LaneView): void {
    const { epoch, operator, phase } = view
    const now = clock.now()
    const last = phases.get(lane)
    const checked = { lane, view, now, node: parts.node, isShared: modelLanes.has(lane) }
    const operatedAt = operator?.at
    if (last === undefined) {
      parts.changed(changeOf(checked, undefined))
      const ms = { closed: 0, recovering: 0, 'half-open': 0, open: 0 }
      return void phases.set(lane, { phase, epoch, operatedAt, at: now, ms })
    }
    last.ms[last.phase] += now - last.at
    last.at = now
    // It was probed and opened again between two ticks.
    const from = phase === 'open' && last.phase === 'open' && last.epoch !== epoch ? 'half-open' : last.phase
    if (from !== phase) {
      parts.changed(changeOf(checked, { phase: from, operatedAt: last.operatedAt }))
      for (const name of namesOf(lane)) telemetry.count('lane_transitions_total', { lane: name, from, to: phase })
    }
    last.phase = phase
    last.epoch = epoch
    last.operatedAt = operatedAt
  }

  function open(lane: string, { epoch, recent }: LaneView): void {
    const known = down.get(lane)
    if (known !== undefined && known.epoch === epoch) return
    for (const name of namesOf(lane)) telemetry.count('lane_opened_total', { lane: name })
    if (known !== undefined) {
      known.epoch = epoch
      known.openings += 1
      return
    }
    down.set(lane, { since: clock.now(), epoch, openings: 1, refused: -refusedBefore(lane) })
    const { calls: recentCalls, failures: recentFailures } = recent
    telemetry.log('warn', 'lane.opened', { lane: namesOf(lane).join(), laneId: lane, recentCalls, recentFailures })
  }

  function close(lane: string): void {
    const known = down.get(lane)
    if (known === undefined) return
    down.delete(lane)
    const downMs = clock.now() - known.since
    for (const name of namesOf(lane)) {
      telemetry.count('lane_closed_total', { lane: name })
      telemetry.observe('lane_outage_seconds', downMs / 1000, { lane: name })
    }
    telemetry.log('info', 'lane.closed', {
      lane: namesOf(lane).join(),
      laneId: lane,
      downMs,
      openings: known.openings,
      refusedCalls: known.refused + refusedBefore(lane),
    })
  }

  return {
    check() {
      for (const [lane, { view: read }] of seen) {
        const view = read()
        follow(lane, view)
        if (view.phase === 'open') open(lane, view)
        else if (view.phase !== 'half-open') close(lane)
      }
    },
    refused(lane) {
      const known = down.get(lane)
      if (known !== undefined) known.refused += 1
    },
    phasesMs: () => {
      const now = clock.now()
      return new Map([...phases].map(([lane, { at, ms, phase }]) => [lane, { ...ms, [phase]: ms[phase] + now - at }]))
    },
    downMs: () => {
      const now = clock.now()
      return new Map([...seen.keys()].map((lane) => [lane, now - (down.get(lane)?.since ?? now)]))
    },
  }
}
