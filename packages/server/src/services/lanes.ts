// The lanes for an operator, of the models and of this node's other dependencies: how each is, what can be done to it, and
// maintenance of the whole service. Whatever
// is done has a reason and a line in the audit. Looking takes no probe, however often it is done.
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditAction, AuditEntry } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes, Maintenance } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from './admin.ts'

export interface LaneQueriesParts {
  readonly lanes: Lanes
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Every configured model with its lane. */
  readonly models: readonly { readonly name: string; readonly lane: string }[]
  /** Of the dependencies of this node that are no models. */
  readonly nodeLanes: readonly NodeLane[]
}

export type NamedLaneView = LaneView & {
  readonly lane: string
  /** Configured names of the models that go by it; none where it is no model's. */
  readonly models: readonly string[]
  /** Whose state it is: on one machine both are the same. */
  readonly scope: 'fleet' | 'node'
}

/** What it is shown as in public: the name of a model's lane tells where the model is. */
export function publicNames({
  lane,
  models,
  scope,
}: Pick<NamedLaneView, 'lane' | 'models' | 'scope'>): readonly string[] {
  return scope === 'node' ? [lane] : models
}

type LaneChange = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

const LANE_ACTIONS: Readonly<Record<OperatorMark['action'], AuditAction>> = {
  'force-open': 'lane-forced-open',
  reset: 'lane-reset',
  disable: 'lane-disabled',
}
const NO_REDIS = 'this server does not use Redis (state.redis is not set), so there is no circuit to operate'
/** In the audit, in place of a lane: what is done to all of them. */
const SERVICE = 'service'
/** In the audit, in place of what stands there: an act failed half-way, and may or may not have been done. */
const UNCERTAIN = { uncertain: true }

export function createLaneQueries({ lanes, admin, clock, telemetry, models, nodeLanes }: LaneQueriesParts) {
  const byLane = Map.groupBy(models, ({ lane }) => lane)
  const named = (view: (lane: string) => LaneView): readonly NamedLaneView[] => [
    ...[...byLane].map(
      ([lane, of]) => ({ lane, models: of.map(({ name }) => name), scope: 'fleet', ...view(lane) }) as const,
    ),
    ...nodeLanes.map((lane) => ({ lane: lane.name, models: [], scope: 'node', ...lane.view() }) as const),
  ]

  /** The line goes first: what cannot be told is not done. When the act then fails, a second line takes the first back. */
  async function noted(change: LaneChange, { by, reason }: Author, act: () => Promise<unknown>): Promise<AuditLine> {
    const { action, subject, after } = change
    const entry = await admin.note({ ...change, at: clock.now(), by, reason })
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
    return noted(change, author, async () => lane.operate(action, author.by))
  }

  return {
    /** How every lane is now; one of a model as it was last seen where the shared state does not answer. */
    async lanes(): Promise<readonly NamedLaneView[]> {
      const looks = [...byLane.keys()].map(async (lane) => {
        try {
          return [lane, await lanes.peek(lane)] as const
        } catch (error) {
          telemetry.log('warn', 'lane.read-failed', { laneId: lane }, error)
          return [lane, lanes.seen(lane)] as const
        }
      })
      const views = new Map(await Promise.all(looks))
      return named((lane) => views.get(lane) ?? lanes.seen(lane))
    },

    /** The same as of the last tick: for those who cannot wait, and asks nobody. */
    seenLanes: (): readonly NamedLaneView[] => named((lane) => lanes.seen(lane)),

    /**
     * Forces a lane open, gives it back to its controller, or takes its circuit and limit away: on every node for a model's
     * lane, else on this node. The lane is named by itself or by a model that goes by it. Throws NOT_FOUND, or
     * INVALID_REQUEST for Redis where there is none.
     */
    async operateLane(name: string, action: OperatorMark['action'], author: Author): Promise<AuditLine> {
      const own = nodeLanes.find((lane) => lane.name === name)
      if (own !== undefined) return operateHere(own, action, author)
      const lane = byLane.has(name) ? name : models.find((model) => model.name === name)?.lane
      if (lane === undefined && name === 'redis')
        throw new Refusal('INVALID_REQUEST', { details: { field: 'lane', reason: NO_REDIS } })
      if (lane === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'lane' } })
      const { operator: before } = await lanes.peek(lane)
      const change = { action: LANE_ACTIONS[action], subject: lane, before, after: { action, by: author.by } }
      return noted(change, author, () => lanes.operate(lane, action, author.by))
    },

    /** Null while the service is open. */
    maintenance: (): Maintenance | null => lanes.maintenance(),

    /** While it is on, new turns are refused with MAINTENANCE; those under way go on. */
    async setMaintenance(isOn: boolean, author: Author): Promise<AuditLine> {
      const action = isOn ? 'maintenance-on' : 'maintenance-off'
      const after = isOn ? { by: author.by } : null
      const change = { action, subject: SERVICE, before: lanes.maintenance(), after } as const
      return noted(change, author, () => lanes.maintain(isOn, author.by))
    },
  }
}
