// What an app shows of itself at `/metrics`, looked up when it is read: its turns, its lanes, who waits. It reads what the
// node knows already: a scrape takes no probe and asks no other machine.
import type { LaneView } from '#domain/lane/lane-view.ts'
import { LEVELS } from '#domain/lane/level.ts'
import type { Maintenance } from '#ports/lanes/port.ts'
import { publicNames } from '#services/lanes.ts'
import type { NamedLaneView } from '#services/lanes.ts'

type Fields = Readonly<Record<string, string>>

/** Where gauges are told of; a figure, or one for each set of labels. */
export interface Gauges {
  /** Exports a counter as 0 before anything is counted. */
  declare(name: string, fields?: Fields): void
  gauge(
    name: string,
    help: string,
    read: () => number | readonly { readonly fields: Fields; readonly value: number }[],
  ): void
}

const STREAM_STATES = ['starting', 'streaming', 'paused', 'completing']
/** From the best to the worst. */
const PHASES: readonly LaneView['phase'][] = ['closed', 'recovering', 'half-open', 'open']
const RECENT = ['calls', 'failures', 'retries', 'shed'] as const

/** What is read of an app. */
export interface Figures {
  readonly admin: { maintenance(): Maintenance | null; seenLanes(): readonly NamedLaneView[] }
  /** How many questions are deferred, as of the last round. */
  deferred(): number
  /** How long the circuit of each lane has let no calls through, in milliseconds; 0: it serves. */
  lanesDownMs(): ReadonlyMap<string, number>
  /** How many turns this node runs, and how many of them wait in the queue of which lane. */
  running(): number
  waiting(): ReadonlyMap<string, number>
  /** How many answers of this process are in which state of their stream. */
  streams(): Readonly<Record<string, number>>
}

const SPEND_ACCOUNTS = ['store', 'guests']
const SPEND_PERCENTS = ['50', '80', '100']

/** Counters of rare events, which alarms are made of. */
function declareAlarms(gauges: Gauges): void {
  for (const account of SPEND_ACCOUNTS)
    for (const percent of SPEND_PERCENTS) gauges.declare('alarm.store-spend', { account, percent })
  for (const name of ['alarm.user-spend', 'alarm.redis-emptied', 'redis.connection-error']) gauges.declare(name)
}

export function appGauges(app: Figures, gauges: Gauges): void {
  declareAlarms(gauges)
  for (const state of STREAM_STATES)
    gauges.gauge(`streams_${state}`, `Answers that are ${state}.`, () => app.streams()[state] ?? 0)
  gauges.gauge('running_turns', 'Turns that this node runs.', () => app.running())
  gauges.gauge('deferred_questions', 'Questions that are kept until a model is back.', () => app.deferred())
  gauges.gauge('maintenance', '1 while new questions are refused for maintenance.', () =>
    app.admin.maintenance() === null ? 0 : 1,
  )
  laneGauges(app, gauges)
}

function laneGauges(app: Figures, gauges: Gauges): void {
  /** A lane without the figure has no series. */
  const perLane = (name: string, help: string, read: (view: NamedLaneView) => number | null) =>
    gauges.gauge(name, help, () =>
      byName(app).flatMap(({ lane, view }) => {
        const value = read(view)
        return value === null ? [] : [{ fields: { lane }, value }]
      }),
    )
  perLane('lane_level', `Load level of a lane: ${numbered(LEVELS)}.`, ({ level }) => LEVELS.indexOf(level))
  perLane('lane_phase', `The circuit of a lane: ${numbered(PHASES)}.`, ({ phase }) => PHASES.indexOf(phase))
  perLane(
    'lane_down_seconds',
    'For how long the circuit of a lane has kept calls out; 0 while it serves.',
    ({ lane }) => (app.lanesDownMs().get(lane) ?? 0) / 1000,
  )
  perLane(
    'lane_in_flight',
    'Calls in flight: of the whole fleet for a model, else of this node.',
    ({ inFlight }) => inFlight,
  )
  perLane('lane_limit', 'Limit of calls in flight; absent while there is none.', ({ limit }) => limit)
  // Only calls of models are retried, and only these are waited for in line.
  const perModel = (name: string, help: string, read: (view: NamedLaneView) => number) =>
    perLane(name, help, (view) => (view.scope === 'node' ? null : read(view)))
  perModel('lane_bucket', 'What retries can be paid from.', ({ bucket }) => bucket)
  perModel('lane_bucket_max', 'And what it holds when full.', ({ bucketMax }) => bucketMax)
  perModel('lane_waiting_turns', 'Turns of this node that wait in line.', ({ lane }) => app.waiting().get(lane) ?? 0)
  gauges.gauge('lane_recent', 'Of the last ten seconds: of the whole fleet for a model, else of this node.', () =>
    byName(app).flatMap(({ lane, view }) => RECENT.map((of) => ({ fields: { lane, of }, value: view.recent[of] }))),
  )
  gauges.gauge('lane_operated', '1 while a person has forced a lane open, or disabled it.', () =>
    byName(app).flatMap(({ lane, view }) => {
      const action = view.operator?.action ?? 'reset'
      return action === 'reset' ? [] : [{ fields: { lane, action }, value: 1 }]
    }),
  )
}

/** Under the configured name of each model, of which two may share a lane, or the name of the dependency. */
function byName(app: Figures) {
  return app.admin.seenLanes().flatMap((view) => publicNames(view).map((lane) => ({ lane, view })))
}

function numbered(names: readonly string[]): string {
  return names.map((name, index) => `${index} ${name}`).join(', ')
}
