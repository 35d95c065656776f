// The prewarm of a release day when it is asked for, by an operator or by an event, besides its schedule.
import type { EventBridgeEvent, PrewarmView } from '@mangaassist/protocol/admin'
import type { Config } from '#config/config.ts'
import { dayBegins, dayOf } from '#domain/budget/day.ts'
import { Refusal } from '#domain/refusal.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Author } from './admin.ts'

export interface PrewarmRequestsParts {
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'id'>
  readonly tasks: Pick<Tasks, 'take'>
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'store'>
  /** Has this node begin the prewarm of the day with its next round. */
  readonly ask: (day: string) => void
}

const DAY_MS = 86_400_000
/** EventBridge delivers an event again for at most a day. */
const EVENT_KNOWN_MS = DAY_MS
/** A later day is a mistake: the answers would be old by then. */
const AHEAD_MAX_DAYS = 7

export function createPrewarmRequests(parts: PrewarmRequestsParts) {
  const { admin, clock, random, tasks, telemetry } = parts
  const { timeZone } = parts.config.store

  const dayAfter = (at: number): string => dayOf(dayOf(at, timeZone).endsAt, timeZone).key

  /** Throws a Refusal for a day that is over, or too far ahead. */
  function checked(day: string, field: string): string {
    const now = clock.now()
    const last = dayOf(now + AHEAD_MAX_DAYS * DAY_MS, timeZone).key
    const isNear = day >= dayOf(now, timeZone).key && day <= last && dayBegins(day, timeZone) !== undefined
    if (!isNear) throw refused(field, `must be a day from today to ${last}`)
    return day
  }

  async function begin(day: string, { by, reason }: Author): Promise<PrewarmView> {
    parts.ask(day)
    const action = 'prewarm-asked'
    await admin.note({ at: clock.now(), by, reason, action, subject: 'service', before: null, after: { day } })
    telemetry.count('admin_changed_total', { action })
    return { day, outcome: 'asked' }
  }

  return {
    prewarm: async (day: string | undefined, author: Author): Promise<PrewarmView> =>
      begin(checked(day ?? dayAfter(clock.now()), 'day'), author),

    /** An event that is delivered again is recognised on every node, and noted once. */
    async prewarmByEvent({ detail, id, source, time }: EventBridgeEvent, by: string): Promise<PrewarmView> {
      const at = fromIsoTime(time)
      if (at === undefined) throw refused('time', 'must be a time of ISO 8601')
      const day = checked(detail.day ?? dayAfter(at), detail.day === undefined ? 'time' : 'detail.day')
      // One of the requests with this event takes it.
      const lease = { owner: random.id('event'), leaseMs: EVENT_KNOWN_MS }
      if ((await tasks.take(`prewarm-event:${id}`, lease)) === undefined) {
        // The delivery that took it may have got no reply, and asked for nothing. A day that is done is not done again.
        parts.ask(day)
        return { day, outcome: 'repeated' }
      }
      return begin(day, { by, reason: `event ${id} of ${source}` })
    },
  }
}

function refused(field: string, reason: string): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field, reason } })
}
