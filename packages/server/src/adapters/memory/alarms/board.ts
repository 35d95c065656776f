// The alarm board in memory, of tests and simulations; several nodes can share its data. With `stored` the state is elsewhere.
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { NodeReport } from '#domain/alarms/incidents.ts'
import type { AlarmBoard, StoredAlarms } from '#ports/alarm-board/port.ts'
import { REPORT_LEASE_MS } from '#ports/alarm-board/port.ts'
import { readReport, reportText } from '#ports/alarm-board/stored-alarms.ts'
import type { Clock } from '#ports/clock/port.ts'

/** The data that boards of one cluster share. */
export interface AlarmBoardData {
  readonly reports: Map<string, { readonly at: number; readonly text: string }>
  stored: StoredAlarms
}

export function alarmBoardData(): AlarmBoardData {
  return { reports: new Map(), stored: { version: 0, state: NO_ALARM_STATE } }
}

export interface MemoryAlarmBoardOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly data?: AlarmBoardData
}

export function memoryAlarmBoard({ clock, data = alarmBoardData() }: MemoryAlarmBoardOptions): AlarmBoard {
  return {
    report: async (report) => addReport(data.reports, report, clock.now()),
    read: async () => data.stored,
    async write(state, version) {
      if (version !== data.stored.version) return false
      data.stored = { version: version + 1, state }
      return true
    },
  }
}

/** Stores a report and returns those whose lease has not lapsed. */
export function addReport(reports: AlarmBoardData['reports'], report: NodeReport, now: number): readonly NodeReport[] {
  reports.set(report.nodeId, { at: now, text: reportText(report) })
  for (const [nodeId, { at }] of reports) if (now - at >= REPORT_LEASE_MS) reports.delete(nodeId)
  return [...reports.values()].map(({ text }) => readReport(text))
}
