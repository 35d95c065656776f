// What operators read and do about alarms: which fire, which fired lately, their settings; silencing one, and sending a test message
// through every sender. A silence has an end and a reason, and is in the audit.
import { ALARM_IDS } from '#domain/alarms/alarm-table.ts'
import type { Alarm } from '#domain/alarms/alarm.ts'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { AlarmState, Incident, IncidentSeries, Silence } from '#domain/alarms/incidents.ts'
import { messageOf, runbookOf } from '#domain/alarms/message.ts'
import { expressionOf } from '#domain/alarms/export/expression.ts'
import { Refusal } from '#domain/refusal.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditAction } from '#ports/admin-store/port.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from '../admin.ts'
import type { AlarmWatch } from './alarm-watch.ts'
import { WRITES_MAX } from './deliveries.ts'

export interface AlarmQueriesParts {
  readonly board: AlarmBoard
  readonly admin: AdminStore
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Telemetry
  readonly senders: readonly AlarmSender[]
  /** Those that are evaluated. */
  readonly alarms: ReadonlyMap<string, Alarm>
  /** All of the table, as they are without the shop's settings. */
  readonly table: readonly Alarm[]
  readonly runbookUrl: string
  readonly language: 'ja' | 'en'
  /** Absent where no alarm is evaluated. */
  readonly watch?: Pick<AlarmWatch, 'standaloneState'>
}

const TEST: Alarm = {
  id: 'test',
  title: { en: 'A test of this sender', ja: '通知のテスト' },
  severity: 'info',
  group: 'nodes',
  condition: { kind: 'gauge', of: { metric: 'node_is_leader' }, above: 0 },
  by: [],
  forMs: 0,
  clearMs: 0,
  unit: 'count',
}

const URGENCY = { page: 0, warn: 1, info: 2 } as const satisfies Record<Alarm['severity'], number>
const SILENCED = 3

export interface SilenceAsked {
  /** How long from now; 0 ends a silence. */
  readonly forMs: number
}

export function createAlarmQueries(parts: AlarmQueriesParts) {
  const { admin, alarms, board, clock, language, runbookUrl, senders, table, telemetry, watch } = parts

  async function stateNow(): Promise<{ readonly state: AlarmState; readonly isStandalone: boolean }> {
    const stored = await orUnavailable(() => board.read())
    if (!(stored instanceof StoreUnavailable)) return { state: stored.state, isStandalone: false }
    return { state: watch?.standaloneState() ?? NO_ALARM_STATE, isStandalone: true }
  }

  /** Replaces the state, again if another node was quicker. */
  async function change(next: (state: AlarmState) => AlarmState): Promise<void> {
    for (let writes = 0; writes < WRITES_MAX; writes += 1) {
      const { state, version } = await board.read()
      if (await board.write(next(state), version)) return
    }
    throw new StoreUnavailable('the state of the alarms changes too often')
  }

  async function noted(entry: {
    readonly action: AuditAction
    readonly subject: string
    readonly before: unknown
    readonly after: unknown
    readonly author: Author
  }): Promise<AuditLine> {
    const { action, after, author, before, subject } = entry
    const line = await admin.note({ action, subject, before, after, at: clock.now(), ...author })
    telemetry.count('admin_changed_total', { action })
    telemetry.log('warn', 'admin.changed', { action, subject, number: line.number, by: line.by })
    return { ...line, at: isoTime(line.at) }
  }

  return {
    async alarms() {
      const { isStandalone, state } = await stateNow()
      const now = clock.now()
      return {
        at: isoTime(now),
        isStandalone,
        firing: state.incidents
          .flatMap((incident) => {
            const alarm = table.find(({ id }) => id === incident.id)
            return alarm === undefined
              ? []
              : [firingView(incident, alarms.get(alarm.id) ?? alarm, [state.silences, runbookUrl])]
          })
          .toSorted((one, other) => urgencyOf(one) - urgencyOf(other)),
        recent: state.past.map(({ more, series, ...past }) => ({
          ...past,
          since: isoTime(past.since),
          resolvedAt: isoTime(past.resolvedAt),
          series: series.map(seriesView),
          more,
        })),
        alarms: table.map((entry) => alarmView(alarms.get(entry.id), entry, [state.silences[entry.id], runbookUrl])),
        senders: senders.map(({ kind, name }) => ({ name, kind })),
        undelivered: state.notices.length,
      }
    },

    /** Throws NOT_FOUND for an unknown alarm. The audit is written first: without it nothing is done. */
    async silenceAlarm(id: string, { forMs }: SilenceAsked, author: Author): Promise<AuditLine> {
      if (!(ALARM_IDS as readonly string[]).includes(id)) throw new Refusal('NOT_FOUND', { details: { field: 'id' } })
      const now = clock.now()
      const before = (await board.read()).state.silences[id]
      const until = now + forMs
      const line = await noted({
        action: forMs === 0 ? 'alarm-unsilenced' : 'alarm-silenced',
        subject: id,
        before: before === undefined ? null : { until: isoTime(before.until), by: before.by },
        after: forMs === 0 ? null : { until: isoTime(until) },
        author,
      })
      await change(({ silences: { [id]: _, ...others }, ...state }) => ({
        ...state,
        silences: forMs === 0 ? others : { ...others, [id]: { until, at: now, ...author } },
      }))
      return line
    },

    /** Sends a test message through every sender, and says what each of them did. */
    async testAlarms(author: Author) {
      const at = clock.now()
      await noted({
        action: 'alarms-tested',
        subject: 'service',
        before: null,
        after: senders.map(({ name }) => name),
        author,
      })
      const incident = { since: at, series: [], more: 0 }
      const message = messageOf({ key: `test:${at}`, kind: 'test', at, alarm: TEST, incident, runbookUrl, language })
      return Promise.all(
        senders.map(async (sender) => {
          const end = await sender.send(message)
          telemetry.count('alarm_messages_total', { sender: sender.name, outcome: end.outcome })
          const { kind, name } = sender
          return { name, kind, outcome: end.outcome, ...(end.outcome === 'failed' ? { reason: end.reason } : {}) }
        }),
      )
    },
  }
}

/** Those that wake people come first, silenced ones last; otherwise the order in which they began is kept. */
function urgencyOf({ severity, silence }: ReturnType<typeof firingView>): number {
  return URGENCY[severity] + (silence === undefined ? 0 : SILENCED)
}

function seriesView({ hosts, labels, value }: IncidentSeries) {
  return { labels: { ...labels }, value, hosts: [...hosts] }
}

function silenceView({ at, by, reason, until }: Silence) {
  return { until: isoTime(until), at: isoTime(at), by, reason }
}

function firingView(
  { id, more, notifiedAt, series, since }: Incident,
  { condition, group, severity, title, unit }: Alarm,
  [silences, runbookUrl]: readonly [AlarmState['silences'], string],
) {
  const silence = silences[id]
  return {
    id,
    title,
    severity,
    group,
    since: isoTime(since),
    ...(notifiedAt === undefined ? {} : { notifiedAt: isoTime(notifiedAt) }),
    above: condition.above,
    unit,
    series: series.map(seriesView),
    more,
    runbook: runbookOf(runbookUrl, id),
    ...(silence === undefined ? {} : { silence: silenceView(silence) }),
  }
}

function alarmView(
  set: Alarm | undefined,
  entry: Alarm,
  [silence, runbookUrl]: readonly [Silence | undefined, string],
) {
  const { condition, forMs, group, id, severity, title, unit } = set ?? entry
  return {
    id,
    title,
    severity,
    group,
    isEnabled: set !== undefined,
    expression: expressionOf(set ?? entry),
    above: condition.above,
    unit,
    forMs,
    runbook: runbookOf(runbookUrl, id),
    ...(silence === undefined ? {} : { silence: silenceView(silence) }),
  }
}
