// The inbox of requests for a person: which there are, taking one and closing it. Every change has a reason and is in the audit before it is made.
import type { HandoverEntry } from '@mangaassist/protocol/admin'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { HandoverRequest, HandoverRequests, HandoverState } from '#stores/handover-requests.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from '../admin.ts'

export interface HandoverQueriesParts {
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Pick<Clock, 'now'>
  readonly handovers: Pick<HandoverRequests, 'find' | 'list' | 'move'>
  readonly telemetry: Pick<Telemetry, 'count' | 'log'>
}

export interface HandoversAsked {
  readonly state?: HandoverState | undefined
  readonly limit: number
  /** The id of the last request of the page before. */
  readonly after?: string | undefined
}

const CHANGES = {
  take: { from: ['open'], to: 'taken', action: 'handover-taken' },
  close: { from: ['open', 'taken'], to: 'closed', action: 'handover-closed' },
} as const

const invalid = (field: string, reason: string, details: object = {}) =>
  new Refusal('INVALID_REQUEST', { details: { field, reason, ...details } })

export function createHandoverQueries({ admin, clock, handovers, telemetry }: HandoverQueriesParts) {
  async function position(after: string | undefined): Promise<HandoverRequest | undefined> {
    if (after === undefined) return undefined
    const last = await handovers.find(after)
    if (last === undefined) throw invalid('after', 'is not the `next` of a page before')
    return last
  }

  async function change(id: string, kind: keyof typeof CHANGES, { by, reason }: Author): Promise<AuditLine> {
    const { action, from, to } = CHANGES[kind]
    const known = await handovers.find(id)
    if (known === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'handoverId' } })
    const isAllowed = (state: HandoverState) => from.some((allowed) => allowed === state)
    if (!isAllowed(known.state)) throw wrongState(known)
    const at = clock.now()
    const states = { before: known.state, after: to }
    const entry = await admin.note({ at, by, action, subject: id, ...states, reason })
    const moved = await handovers.move(id, { from, to, changed: { at, by, reason } })
    // Another operator was quicker: their line is in the audit too.
    if (moved === undefined) throw wrongState(await handovers.find(id))
    telemetry.count('admin_changed_total', { action })
    telemetry.log('info', 'admin.changed', { action, number: entry.number, by })
    return { ...entry, at: isoTime(entry.at) }
  }

  return {
    /** Newest first. */
    async handovers({ after, limit, state }: HandoversAsked): Promise<readonly HandoverEntry[]> {
      const page = { limit, after: await position(after), ...(state === undefined ? {} : { state }) }
      return (await handovers.list(page)).map(entryOf)
    },
    takeHandover: (id: string, author: Author) => change(id, 'take', author),
    closeHandover: (id: string, author: Author) => change(id, 'close', author),
  }
}

function wrongState(request: HandoverRequest | undefined): Refusal {
  const by = request?.changed?.by
  return invalid('handoverId', `is ${request?.state ?? 'removed'}`, by === undefined ? {} : { by })
}

function entryOf({ at, changed, id, principalId, ...request }: HandoverRequest): HandoverEntry {
  return {
    ...request,
    handoverId: id,
    userId: principalId,
    at: isoTime(at),
    ...(changed === undefined ? {} : { changedAt: isoTime(changed.at), changedBy: changed.by, reason: changed.reason }),
  }
}
