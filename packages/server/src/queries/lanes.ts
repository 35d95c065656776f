// The lanes of the models for an operator: how each is, what can be done to it, and maintenance of the whole service. Whatever
// is done has a reason and a line in the audit. Looking takes no probe, however often it is done.
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/iso-time.ts'
import type { AdminStore, AuditAction } from '#ports/admin-store.ts'
import type { Clock } from '#ports/clock.ts'
import type { Lanes, Maintenance } from '#ports/lanes.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { AuditLine, Author } from './admin.ts'

export interface LaneQueriesParts {
  readonly lanes: Lanes
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Every configured model with its lane. */
  readonly models: readonly { readonly name: string; readonly lane: string }[]
}

export type NamedLaneView = LaneView & { readonly lane: string; readonly models: readonly string[] }

const LANE_ACTIONS: Readonly<Record<OperatorMark['action'], AuditAction>> = {
  'force-open': 'lane-forced-open',
  reset: 'lane-reset',
  disable: 'lane-disabled',
}
/** In the audit, in place of a lane: what is done to all of them. */
const SERVICE = 'service'

export function createLaneQueries({ lanes, admin, clock, telemetry, models }: LaneQueriesParts) {
  const byLane = Map.groupBy(models, ({ lane }) => lane)

  /** The line goes first: what cannot be told is not done. What then fails is told too. */
  async function noted<Value>(
    { action, subject, before, after }: { action: AuditAction; subject: string; before: unknown; after: unknown },
    { by, reason }: Author,
    work: () => Promise<Value>,
  ): Promise<{ readonly line: AuditLine; readonly value: Value }> {
    const entry = await admin.note({ at: clock.now(), by, reason, action, subject, before, after })
    telemetry.count('admin.change', { action })
    telemetry.log('warn', 'admin.change', { action, subject, number: entry.number, by })
    const value = await work()
    return { line: { ...entry, at: isoTime(entry.at) }, value }
  }

  return {
    /** How the lane of every model is now. */
    async lanes(): Promise<readonly NamedLaneView[]> {
      const views = [...byLane].map(async ([lane, of]) => {
        return { lane, models: of.map(({ name }) => name), ...(await lanes.peek(lane)) }
      })
      return Promise.all(views)
    },

    /** Forces a lane open, gives it back to its controller, or takes its circuit and limit away. Throws NOT_FOUND. */
    async operateLane(lane: string, action: OperatorMark['action'], author: Author): Promise<AuditLine> {
      if (!byLane.has(lane)) throw new Refusal('NOT_FOUND', { details: { field: 'lane' } })
      const { operator: before } = await lanes.peek(lane)
      const change = { action: LANE_ACTIONS[action], subject: lane, before, after: { action } }
      const { line } = await noted(change, author, () => lanes.operate(lane, action, author.by))
      return line
    },

    /** Null while the service is open. */
    maintenance: (): Maintenance | null => lanes.maintenance(),

    /** While it is on, new turns are refused with MAINTENANCE; those under way go on. */
    async setMaintenance(isOn: boolean, author: Author): Promise<AuditLine> {
      const action = isOn ? 'maintenance-on' : 'maintenance-off'
      const change = { action, subject: SERVICE, before: lanes.maintenance(), after: isOn } as const
      const { line } = await noted(change, author, () => lanes.maintain(isOn, author.by))
      return line
    },
  }
}
