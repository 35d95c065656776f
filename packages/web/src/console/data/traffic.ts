// The traffic of the last minutes from the records of turns: turns and refusals a minute, first words, cost. Pure. Minutes without a
// turn count as zero; minutes before the oldest record that is known are left out, because they are not known.
import type { RecordView } from '@mangaassist/protocol/admin'
import { isRefusedRecord } from './records.ts'

interface Minute {
  readonly at: number
  readonly turns: number
  readonly refusals: number
  readonly degraded: number
  readonly costMicroUsd: number
  /** Null where no turn had a first word. */
  readonly firstWordMedianMs: number | null
  readonly firstWordP95Ms: number | null
}

export interface Traffic {
  readonly minutes: readonly Minute[]
  /** The sum of all the minutes. */
  readonly turns: number
  readonly refusals: number
  readonly degradedShare: number | null
  readonly firstWordMedianMs: number | null
  readonly firstWordP95Ms: number | null
  readonly microUsdPerHour: number
}

const MINUTE_MS = 60_000

interface Window {
  readonly now: number
  readonly minutesMax: number
  /** There are older records than these: the first minute may be incomplete. */
  readonly isCut: boolean
}

export function trafficOf(records: readonly RecordView[], { isCut, minutesMax, now }: Window): Traffic {
  const lastAt = minuteOf(now)
  const firstAt = lastAt - (minutesMax - 1) * MINUTE_MS
  const timed = records.map((record) => ({ record, at: minuteOf(Date.parse(record.at)) }))
  const oldestAt = Math.min(...timed.map(({ at }) => at))
  const from = isCut ? Math.max(firstAt, oldestAt + MINUTE_MS) : firstAt
  const byMinute = Map.groupBy(timed, ({ at }) => at)
  const minutes: Minute[] = []
  for (let at = from; at <= lastAt; at += MINUTE_MS)
    minutes.push({ at, ...summaryOf((byMinute.get(at) ?? []).map(({ record }) => record)) })
  const shown = timed.filter(({ at }) => at >= from && at <= lastAt).map(({ record }) => record)
  const { costMicroUsd, degraded, firstWordMedianMs, firstWordP95Ms, refusals, turns } = summaryOf(shown)
  return {
    minutes,
    turns,
    refusals,
    degradedShare: turns === 0 ? null : degraded / turns,
    firstWordMedianMs,
    firstWordP95Ms,
    microUsdPerHour: minutes.length === 0 ? 0 : (costMicroUsd / minutes.length) * 60,
  }
}

function summaryOf(records: readonly RecordView[]): Omit<Minute, 'at'> {
  const turns = records.filter((record) => !isRefusedRecord(record))
  const refused = records.filter(isRefusedRecord)
  const words = turns
    .flatMap(({ firstWordMs }) => (firstWordMs === null ? [] : [firstWordMs]))
    .sort((one, other) => one - other)
  return {
    turns: turns.length,
    refusals: refused.reduce((sum, { count }) => sum + count, 0),
    degraded: turns.filter(({ isDegraded }) => isDegraded).length,
    costMicroUsd: turns.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
    firstWordMedianMs: quantile(words, 0.5),
    firstWordP95Ms: quantile(words, 0.95),
  }
}

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(Math.ceil(sorted.length * share), sorted.length) - 1] ?? null
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS
}
