// Which turn records a filter means, and their order: newest first, then by turn.
import type { RecordPosition, RecordsFilter, TurnRecord } from './turn-record.ts'

export function matchesRecords(record: TurnRecord, filter: RecordsFilter): boolean {
  const { experiment, feedback, from = 0, principalId, sessionId, to = Infinity } = filter
  return (
    from <= record.at &&
    record.at < to &&
    (sessionId === undefined || record.sessionId === sessionId) &&
    (principalId === undefined || record.principalId === principalId) &&
    (feedback === undefined || record.received.feedback?.value === feedback) &&
    (experiment === undefined || experimentsOf(record).includes(experiment))
  )
}

export function experimentsOf({ routing }: TurnRecord): readonly string[] {
  return [...new Set(routing?.exposures.map(({ experiment }) => experiment))]
}

/** Negative when `a` is newer. */
export function compareRecords(a: RecordPosition, b: RecordPosition): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.turnId === b.turnId) return 0
  return a.turnId > b.turnId ? -1 : 1
}
