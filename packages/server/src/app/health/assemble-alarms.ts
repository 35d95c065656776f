// Assembles the alarms of this node: the table with the shop's settings, the watch that evaluates and reports, and what operators
// read and do about them. Without a source of figures nothing is evaluated.
import type { Config } from '#config/config.ts'
import { alarmsWith } from '#domain/alarms/alarm.ts'
import type { Severity } from '#domain/alarms/alarm.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { NEVER } from '#lib/async/never.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import { createAlarmQueries } from '#services/alarms/alarm-queries.ts'
import { AlarmWatch } from '#services/alarms/alarm-watch.ts'
import type { NodeWatch } from '#services/nodes.ts'
import type { Ports } from '../app-ports.ts'
import type { Round } from '../upkeep.ts'

export interface Alarms {
  readonly queries: ReturnType<typeof createAlarmQueries>
  /** The ids of the alarms that fire on this node. */
  firing(): readonly string[]
  readonly rounds: readonly Round[]
  /** Waits a moment for messages that are being sent. */
  close(): Promise<void>
}

/** Messages that are not out by then are sent by the next leader, or after the restart. */
const CLOSE_MS = 5000
const USUAL_SEVERITIES: readonly Severity[] = ['page', 'warn']

export function createAlarms(ports: Ports, { alarms: settings }: Pick<Config, 'alarms'>, nodes: NodeWatch): Alarms {
  const { admin, alarms: board, alarmSenders: senders = [], clock, figures, registry, telemetry } = ports
  const { groupMs, language, runbookUrl } = settings
  const alarms = new Map(alarmsWith(alarmTable, settings.rules).map((alarm) => [alarm.id, alarm]))
  const shared = { board, clock, telemetry, senders, alarms, runbookUrl, language }
  const severitiesOf = ({ name }: AlarmSender) =>
    [...settings.webhooks, ...settings.commands, ...settings.topics].find((sender) => sender.name === name)
      ?.severities ?? USUAL_SEVERITIES
  const watch =
    figures === undefined
      ? undefined
      : new AlarmWatch({ ...shared, figures, nodes, self: registry.self, groupMs, severitiesOf })
  const watched = watch === undefined ? {} : { watch }
  return {
    queries: createAlarmQueries({ ...shared, admin, table: alarmTable, ...watched }),
    firing: () => watch?.firing().map(({ id }) => id) ?? [],
    rounds: watch === undefined ? [] : [{ name: 'alarms', everyMs: settings.everyMs, work: () => watch.round() }],
    async close() {
      await withDeadline(clock, { ms: CLOSE_MS, signal: NEVER }, async () => watch?.delivered())
    },
  }
}
