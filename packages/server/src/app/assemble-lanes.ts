// The lanes as this node uses them: bounded by its connections, watched, with one queue in front of them. Every part of the
// app that calls a model gets these, never the port's lanes.
import type { Config } from '#config/config.ts'
import type { ModelMeter } from '#domain/model-history/model-meter.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import { connectionsOf } from '#domain/lane/lanes-of.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import { bulkRefused } from '#turn/house-calls/spare-calls.ts'
import { boundedLanes } from '#turn/invocation/bounded-lanes.ts'
import { pacedLanes } from '#turn/invocation/lane-pace.ts'
import { createWaitingQueue } from '#turn/invocation/waiting-queue.ts'
import type { WaitingQueue } from '#turn/invocation/waiting-queue.ts'
import type { Rung } from '#turn/turn.ts'
import type { Ports } from './app-ports.ts'
import { createLaneWatch } from './health/lane-watch.ts'
import type { LaneWatch } from './health/lane-watch.ts'
import type { Ladder } from './ladder.ts'
import { lanePressure } from './pressure/lane-pressure.ts'
import type { LanePressure } from './pressure/lane-pressure.ts'
import type { Pressure } from './pressure/pressure.ts'
import type { Round } from './upkeep.ts'

export interface LaneAccess {
  readonly lanes: Lanes
  /** The times of the models, learnt from their calls. */
  readonly typical: TypicalTimes
  /** How many nodes share the lanes, as far as this one knows. */
  readonly nodes: () => number
  readonly queue: WaitingQueue
  /** What the vendors said in the last calls of the models. */
  readonly rejections: Rejections
  /** Whether a model can be asked, and whether its lane has room, as of the last tick: a permit may still be refused. */
  readonly works: (rung: Pick<Rung, 'lane' | 'name'>) => boolean
  readonly takesCalls: (rung: Pick<Rung, 'lane' | 'name'>) => boolean
  /** Whether a model's lane has calls to spare for bulk work. */
  readonly spares: (rung: Pick<Rung, 'lane' | 'name'>) => boolean
  /** Whether every vendor's model refuses calls for load, or is out. */
  readonly isPressed: () => boolean
  /** How long the circuit of each lane has refused calls, in milliseconds. */
  readonly downMs: LaneWatch['downMs']
  readonly phasesMs: LaneWatch['phasesMs']
  readonly rounds: readonly Round[]
}

export interface LaneAccessParts {
  readonly ladder: Ladder
  readonly nodeLanes: readonly NodeLane[]
  readonly pressure: Pressure
  readonly settings: Pick<RunSettings, 'mode'>
  readonly modelMeter: Pick<ModelMeter, 'laneChanged'>
  /** Whether a question gets an answer, or the promise of one, while no model can be asked: then clients are not held back. */
  readonly canAnswer: () => boolean
  readonly nodes: () => number
}

const TICK_MS = 500
const CALM: LanePressure = { action: 'none' }

export function createLaneAccess(ports: Ports, config: Config, parts: LaneAccessParts): LaneAccess {
  const { clock, random, telemetry } = ports
  const names = parts.ladder.whole.map(({ lane }) => lane)
  const watch = createLaneWatch({
    clock,
    telemetry,
    lanes: ports.lanes,
    modelLanes: new Map(
      [...Map.groupBy(parts.ladder.whole, ({ lane }) => lane)].map(([lane, of]) => [lane, of.map(({ name }) => name)]),
    ),
    nodeLanes: parts.nodeLanes,
    node: ports.registry.self.id,
    changed: (change) => parts.modelMeter.laneChanged(change),
  })
  const connections = connectionsOf(config)
  const vendors = new Set(parts.ladder.list.filter(({ model }) => model.facts !== undefined).map(({ lane }) => lane))
  const used = watchedLanes(boundedLanes(ports.lanes, connections), watch)
  const { lanes, intervalMs } = pacedLanes(modeLanes(used, vendors, parts.settings), clock)
  const settings = { ...queueDefaults, ...config.queue }
  const queue = createWaitingQueue({ lanes, clock, random, settings, connections, expectedMs: intervalMs })

  const rejections = new Rejections(clock, (model, rejected) => {
    if (rejected === undefined) return telemetry.log('info', 'model.accepted', { model })
    const { calls, cause, status: vendorStatus } = rejected
    telemetry.log('error', 'model.rejected', { model, class: cause, vendorStatus, calls })
  })

  const seen = () => names.map((lane) => lanes.seen(lane))

  async function tick(): Promise<void> {
    for (const lane of parts.nodeLanes) lane.tick()
    await lanes.tick()
    watch.check()
    const { action, holdMs } = parts.canAnswer() ? CALM : lanePressure(seen(), clock.now())
    parts.pressure.say('lanes', action, holdMs)
  }

  return {
    lanes,
    typical: new TypicalTimes(clock),
    nodes: parts.nodes,
    queue,
    rejections,
    works: ({ lane, name }) => rejections.barred(name) === undefined && isWorking(lanes.seen(lane)),
    takesCalls: ({ lane, name }) => rejections.barred(name) === undefined && hasRoom(lanes.seen(lane)),
    spares: ({ lane, name }) =>
      rejections.barred(name) === undefined &&
      bulkRefused(lanes.seen(lane), queue.sizes().get(lane) ?? 0) === undefined,
    isPressed: () => vendors.size > 0 && [...vendors].every((lane) => isUnderPressure(lanes.seen(lane))),
    downMs: watch.downMs,
    phasesMs: watch.phasesMs,
    rounds: [{ name: 'lanes', everyMs: TICK_MS, work: tick }],
  }
}

/** Counts the calls that an open circuit refuses. */
function watchedLanes(lanes: Lanes, watch: LaneWatch): Lanes {
  return {
    ...lanes,
    async permit(lane, ask) {
      const answer = await lanes.permit(lane, ask)
      if (answer.kind === 'refused' && (answer.why === 'open' || answer.why === 'probing')) watch.refused(lane)
      return answer
    },
  }
}

/** In the reduced mode no vendor gets a call, for any purpose: a turn that began before, a probe, a summary. */
function modeLanes(lanes: Lanes, vendors: ReadonlySet<string>, settings: Pick<RunSettings, 'mode'>): Lanes {
  return {
    ...lanes,
    permit: async (lane, ask) =>
      settings.mode() === 'reduced' && vendors.has(lane) ? { kind: 'refused', why: 'open' } : lanes.permit(lane, ask),
  }
}

function hasRoom(view: LaneView): boolean {
  return isWorking(view) && view.pace === null && (view.limit === null || view.inFlight < view.limit)
}

function isUnderPressure(view: LaneView): boolean {
  return view.pace !== null || !isWorking(view)
}

function isWorking({ phase }: LaneView): boolean {
  return phase === 'closed' || phase === 'recovering'
}
