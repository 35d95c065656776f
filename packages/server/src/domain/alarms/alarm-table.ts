// Every alarm, by its id. The process evaluates them, `mangaassist alarms --prometheus` and `--cloudwatch` export them, and each has
// a page in docs/runbooks. An id is never given another meaning: settings, silences and rules of shops name it.
import type { Alarm, AlarmEntry } from './alarm.ts'
import { modelAlarms } from './table/model-alarms.ts'
import { moneyAlarms } from './table/money-alarms.ts'
import { nodeAlarms } from './table/node-alarms.ts'
import { serviceAlarms } from './table/service-alarms.ts'
import { storeAlarms } from './table/store-alarms.ts'

const entries = { ...serviceAlarms, ...modelAlarms, ...moneyAlarms, ...storeAlarms, ...nodeAlarms }

export type AlarmId = keyof typeof entries

export const ALARM_IDS = Object.keys(entries) as AlarmId[]

export const alarmTable: readonly Alarm[] = Object.entries<AlarmEntry>(entries).map(([id, entry]) => ({ id, ...entry }))
