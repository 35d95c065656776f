// The gauges of an app, read when `/metrics` is: its turns, its lanes, its queues. They are figures that the node already
// has: a scrape takes no probe and asks no other machine.
import type { LaneView } from '#domain/lane/lane-view.ts'
import { LEVELS } from '#domain/lane/level.ts'
import type { CounterName, GaugeName } from '#domain/telemetry/catalogue.ts'
import { MODES } from '#domain/settings/run-settings.ts'
import type { Mode } from '#domain/settings/run-settings.ts'
import { publicNames } from '#services/lanes.ts'
import type { NamedLaneView } from '#services/lanes.ts'

type Fields = Readonly<Record<string, string>>
type Reading = number | readonly { readonly fields: Fields; readonly value: number }[]

/** Where gauges are exported: a figure, or one for each set of labels. */
export interface Gauges {
  gauge(name: GaugeName, read: () => Reading): void
  /** A sum that is read, and only ever rises. */
  cumulative(name: CounterName, read: () => Reading): void
}

const STREAM_STATES = ['starting', 'streaming', 'broken-off', 'completing']
/** From best to worst. */
const PHASES: readonly LaneView['phase'][] = ['closed', 'recovering', 'half-open', 'open']
const RECENT = ['calls', 'failures', 'retries', 'shed'] as const

/** The part of the app that is read. */
export interface Figures {
  readonly admin: { mode(): Mode; seenLanes(): readonly NamedLaneView[] }
  /** How many questions are deferred, as of the last round. */
  deferred(): number
  /** How long the circuit of each lane has refused calls, in milliseconds; 0 when it serves. */
  lanesDownMs(): ReadonlyMap<string, number>
  /** How long the circuit of each lane was in which phase, in milliseconds. */
  lanesPhasesMs(): ReadonlyMap<string, Readonly<Record<LaneView['phase'], number>>>
  /** How many turns this node runs, and how many of them wait in the queue of which lane. */
  running(): number
  waiting(): ReadonlyMap<string, number>
  /** How long the oldest of them has waited at each lane, in milliseconds. */
  oldestMs(): ReadonlyMap<string, number>
  /** How many may wait at all lanes together. */
  readonly waitingMax: number
  /** How many answers of this process are in which state of their stream. */
  streams(): Readonly<Record<string, number>>
  /** The nodes of the cluster, as of the last announcement. */
  nodes(): readonly { readonly isDraining: boolean }[]
  isLeader(): boolean
  /** The ids of the alarms that fire on this node. */
  firingAlarms(): readonly string[]
  /** Series and FAQ entries, and how many have vectors of the embedder; absent where none is configured. */
  embedded?(): { readonly documents: number; readonly embedded: number }
}

export function appGauges(app: Figures, gauges: Gauges): void {
  gauges.gauge('turn_streams', () =>
    STREAM_STATES.map((state) => ({ fields: { state }, value: app.streams()[state] ?? 0 })),
  )
  gauges.gauge('turn_running', () => app.running())
  gauges.gauge('deferred_questions', () => app.deferred())
  gauges.gauge('maintenance_active', () => (app.admin.mode() === 'maintenance' ? 1 : 0))
  gauges.gauge('mode_active', () =>
    MODES.map((mode) => ({ fields: { mode }, value: app.admin.mode() === mode ? 1 : 0 })),
  )
  gauges.gauge('node_is_leader', () => (app.isLeader() ? 1 : 0))
  gauges.gauge('alarm_firing', () => app.firingAlarms().map((alarm) => ({ fields: { alarm }, value: 1 })))
  gauges.gauge('nodes_alive', () => {
    const draining = app.nodes().filter(({ isDraining }) => isDraining).length
    return [
      { fields: { state: 'serving' }, value: app.nodes().length - draining },
      { fields: { state: 'draining' }, value: draining },
    ]
  })
  const { embedded } = app
  if (embedded !== undefined)
    gauges.gauge('embedder_documents', () => {
      const { documents, embedded: done } = embedded()
      return [
        { fields: { state: 'embedded' }, value: done },
        { fields: { state: 'missing' }, value: documents - done },
      ]
    })
  laneGauges(app, gauges)
}

function laneGauges(app: Figures, gauges: Gauges): void {
  /** A lane without the value has no series. */
  const perLane = (name: GaugeName, read: (view: NamedLaneView) => number | null) =>
    gauges.gauge(name, () =>
      byName(app).flatMap(({ lane, view }) => {
        const value = read(view)
        return value === null ? [] : [{ fields: { lane }, value }]
      }),
    )
  perLane('lane_level', ({ level }) => LEVELS.indexOf(level))
  perLane('lane_circuit_state', ({ phase }) => PHASES.indexOf(phase))
  perLane('lane_down_seconds', ({ lane }) => (app.lanesDownMs().get(lane) ?? 0) / 1000)
  perLane('lane_in_flight_calls', ({ inFlight }) => inFlight)
  perLane('lane_in_flight_calls_max', ({ limit }) => limit)
  perLane('lane_calls_per_second_max', ({ pace }) => pace)
  // Only model calls are retried and queued.
  const perModel = (name: GaugeName, read: (view: NamedLaneView) => number) =>
    perLane(name, (view) => (view.scope === 'node' ? null : read(view)))
  perModel('lane_retry_budget', ({ bucket }) => bucket)
  perModel('lane_retry_budget_max', ({ bucketMax }) => bucketMax)
  perModel('lane_queue_oldest_seconds', ({ lane }) => (app.oldestMs().get(lane) ?? 0) / 1000)
  gauges.gauge('queue_turns_max', () => app.waitingMax)
  gauges.cumulative('lane_state_seconds_total', () =>
    byName(app).flatMap(({ lane, view }) => {
      const ms = app.lanesPhasesMs().get(view.lane)
      return ms === undefined ? [] : PHASES.map((state) => ({ fields: { lane, state }, value: ms[state] / 1000 }))
    }),
  )
  perModel('lane_queue_turns', ({ lane }) => app.waiting().get(lane) ?? 0)
  gauges.gauge('lane_recent_calls', () =>
    byName(app).flatMap(({ lane, view }) =>
      RECENT.map((kind) => ({ fields: { lane, kind }, value: view.recent[kind] })),
    ),
  )
  gauges.gauge('model_rejected_calls', () =>
    app.admin
      .seenLanes()
      .flatMap(({ rejected }) => rejected)
      .map(({ calls, cause, model }) => ({ fields: { model, reason: cause }, value: calls })),
  )
  gauges.gauge('lane_operator_action', () =>
    byName(app).flatMap(({ lane, view }) => {
      const action = view.operator?.action ?? 'reset'
      return action === 'reset' ? [] : [{ fields: { lane, action }, value: 1 }]
    }),
  )
}

/** By the configured name of each model, of which two may share a lane, or the name of the dependency. */
function byName(app: Figures) {
  return app.admin.seenLanes().flatMap((view) => publicNames(view).map((lane) => ({ lane, view })))
}
