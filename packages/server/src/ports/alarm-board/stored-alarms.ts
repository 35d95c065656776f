// Reports and the state of alarms as stores write them: bounded JSON. What another version wrote is read leniently: unknown fields
// are ignored, missing ones get an empty value.
import type { AlarmState, NodeReport } from '#domain/alarms/incidents.ts'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'

const REPORT_LENGTH_MAX = 16_384
const HOST_LENGTH_MAX = 64

/** Alarms that do not fit are left out, the last of the table first. */
export function reportText({ firing, host, nodeId }: NodeReport): string {
  for (let count = firing.length; ; count -= 1) {
    const text = JSON.stringify({ nodeId, host: host.slice(0, HOST_LENGTH_MAX), firing: firing.slice(0, count) })
    if (text.length <= REPORT_LENGTH_MAX || count === 0) return text
  }
}

export function readReport(text: string): NodeReport {
  const { firing = [], host = '', nodeId = '' } = parsed<NodeReport>(text)
  return { nodeId, host, firing }
}

export function readState(text: string): AlarmState {
  return { ...NO_ALARM_STATE, ...parsed<AlarmState>(text) }
}

function parsed<Value>(text: string): Partial<Value> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
