// The lanes for operators, of the models and of this node's other dependencies: their state and actions on them. Every action has a reason and
// a line in the audit; one on a model's lane is stored, so that it survives restarts. Reading the state never uses up a probe.
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import type { Rejected } from '#domain/model/rejections.ts'
import { laneSetting } from '#domain/settings/run-settings.ts'
import type { Settings } from '#domain/settings/run-settings.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditAction, AuditEntry } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from './admin.ts'

export interface LaneQueriesParts {
  readonly lanes: Lanes
  readonly admin: Pick<AdminStore, 'note' | 'setSetting'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Every configured model with its lane. */
  readonly models: readonly { readonly name: string; readonly lane: string }[]
  /** The lanes of this node's dependencies that are not models. */
  readonly nodeLanes: readonly NodeLane[]
  /** The models whose vendors reject the calls of any node. */
  readonly rejected: () => readonly Rejected[]
}

export type NamedLaneView = LaneView & {
  readonly lane: string
  /** Configured names of the models on this lane; empty if it is not a model's lane. */
  readonly models: readonly string[]
  /** Whether all nodes share its state (`fleet`) or each node has its own; the same on a single machine. */
  readonly scope: 'fleet' | 'node'
  /** The models of the lane whose last calls were rejected by their vendor. All views of a model take it from here. */
  readonly rejected: readonly Rejected[]
}

/** A rejection as the admin API shows it. */
export function rejectedView({ since, ...rejected }: Rejected) {
  return { ...rejected, since: isoTime(since) }
}

/** The public names of a lane: the id of a model's lane is not public, because it contains the endpoint. */
export function publicNames({
  lane,
  models,
  scope,
}: Pick<NamedLaneView, 'lane' | 'models' | 'scope'>): readonly string[] {
  return scope === 'node' ? [lane] : models
}

const LANE_ACTIONS: Readonly<Record<OperatorMark['action'], AuditAction>> = {
  'force-open': 'lane-forced-open',
  reset: 'lane-reset',
  disable: 'lane-disabled',
}
/** The actions that last until the next one. */
const KEPT_ACTIONS = ['force-open', 'disable'] as const
const NO_REDIS = 'this server does not use Redis (state.redis is not set), so there is no circuit to operate'
/** The audit's value after an action that failed half-way, and may or may not have taken effect. */
const UNCERTAIN = { uncertain: true }

interface RestoredLanes {
  readonly settings: Settings
  readonly lanes: Pick<Lanes, 'peek' | 'operate'>
  /** The lanes of the configured models. */
  readonly names: readonly string[]
  readonly telemetry: Telemetry
}

/** Forces or disables the lanes again that an operator had, where a restart has lost it. Never rejects. */
export async function restoreLanes({ lanes, names, settings, telemetry }: RestoredLanes): Promise<void> {
  for (const lane of new Set(names)) {
    const stored = settings.get(laneSetting(lane))
    const action = stored === undefined ? undefined : KEPT_ACTIONS.find((known) => known === stored.value)
    if (stored === undefined || action === undefined) continue
    try {
      if ((await lanes.peek(lane)).operator === null) await lanes.operate(lane, action, stored.by)
    } catch (error) {
      telemetry.log('warn', 'lane.read-failed', { laneId: lane }, error)
    }
  }
}

export function createLaneQueries(parts: LaneQueriesParts) {
  const { lanes, admin, clock, telemetry, models, nodeLanes } = parts
  const byLane = Map.groupBy(models, ({ lane }) => lane)
  function named(view: (lane: string) => LaneView): readonly NamedLaneView[] {
    const rejections = parts.rejected()
    const ofModels = [...byLane].map(([lane, of]) => {
      const names = of.map(({ name }) => name)
      const rejected = rejections.filter(({ model }) => names.includes(model))
      return { lane, models: names, scope: 'fleet', rejected, ...view(lane) } as const
    })
    const ofNode = nodeLanes.map(
      (lane) => ({ lane: lane.name, models: [], scope: 'node', rejected: [], ...lane.view() }) as const,
    )
    return [...ofModels, ...ofNode]
  }

  /** The audit line is written before: without it nothing is done. If the action then fails, a second line marks it as uncertain. */
  async function acted(entry: AuditEntry, act: () => Promise<unknown>): Promise<AuditLine> {
    const { action, after, by, reason, subject } = entry
    try {
      await act()
    } catch (error) {
      telemetry.log('error', 'admin.change-uncertain', { action, subject, number: entry.number, by }, error)
      const doubt = { action, subject, by, reason, before: after, after: UNCERTAIN }
      await admin.note({ ...doubt, at: clock.now() }).catch((failure: unknown) => {
        telemetry.log('error', 'admin.audit-write-failed', { action, subject, number: entry.number, by }, failure)
      })
      throw error
    }
    telemetry.count('admin_changed_total', { action })
    telemetry.log('warn', 'admin.changed', { action, subject, number: entry.number, by })
    return { ...entry, at: isoTime(entry.at) }
  }

  async function operateHere(lane: NodeLane, action: OperatorMark['action'], author: Author): Promise<AuditLine> {
    const { operator: before } = lane.view()
    const after = { action, by: author.by, scope: 'node' }
    const change = { action: LANE_ACTIONS[action], subject: lane.name, before, after }
    const entry = await admin.note({ ...change, ...author, at: clock.now() })
    return acted(entry, async () => lane.operate(action, author.by))
  }

  return {
    /** The state of every lane now; the last known state of a model's lane while the shared store is unavailable. */
    async lanes(): Promise<readonly NamedLaneView[]> {
      const reads = [...byLane.keys()].map(async (lane) => {
        try {
          return [lane, await lanes.peek(lane)] as const
        } catch (error) {
          telemetry.log('warn', 'lane.read-failed', { laneId: lane }, error)
          return [lane, lanes.seen(lane)] as const
        }
      })
      const views = new Map(await Promise.all(reads))
      return named((lane) => views.get(lane) ?? lanes.seen(lane))
    },

    /** The state of every lane as of the last tick, without a call to the store: for callers that cannot wait. */
    seenLanes: (): readonly NamedLaneView[] => named((lane) => lanes.seen(lane)),

    /**
     * Forces a lane open, resets it, or disables its circuit and limit: on every node for a model's lane, otherwise on this node.
     * `name` is the id of the lane or the name of a model on it. Throws NOT_FOUND, or INVALID_REQUEST for Redis on a server
     * without it.
     */
    async operateLane(name: string, action: OperatorMark['action'], author: Author): Promise<AuditLine> {
      const own = nodeLanes.find((lane) => lane.name === name)
      if (own !== undefined) return operateHere(own, action, author)
      const lane = byLane.has(name) ? name : models.find((model) => model.name === name)?.lane
      if (lane === undefined && name === 'redis')
        throw new Refusal('INVALID_REQUEST', { details: { field: 'lane', reason: NO_REDIS } })
      if (lane === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'lane' } })
      const at = clock.now()
      const setting = action === 'reset' ? undefined : { value: action, at, ...author }
      const change = { at, ...author, action: LANE_ACTIONS[action], subject: lane }
      const entry = await admin.setSetting(laneSetting(lane), setting, change)
      if (entry === undefined)
        throw new Refusal('INVALID_REQUEST', {
          details: { field: 'lane', reason: 'the maximum number of settings is reached' },
        })
      return acted(entry, () => lanes.operate(lane, action, author.by))
    },
  }
}
