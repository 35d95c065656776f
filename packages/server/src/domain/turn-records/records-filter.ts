// Which records a filter means, and their order: newest first, then by id.
import type { RecordKind, RecordPosition, RecordsFilter, StoredRecord, TurnRecord } from './turn-record.ts'

type Test = (record: StoredRecord, filter: RecordsFilter) => boolean

/** One test for each field of the filter; each is asked only where the field is given. */
const TESTS: Readonly<Record<keyof RecordsFilter, Test>> = {
  from: ({ at }, { from = 0 }) => from <= at,
  to: ({ at }, { to = Infinity }) => at < to,
  recordId: (record, { recordId }) => idOf(record) === recordId,
  requestId: (record, { requestId }) => record.requestId === requestId,
  experiment: (record, { experiment = '' }) => experimentsOf(record).includes(experiment),
  sessionId: (record, { sessionId }) => record.sessionId === sessionId,
  principalId: (record, { principalId }) => record.principalId === principalId,
  feedback: (record, { feedback }) => !isRefusal(record) && record.received.feedback?.value === feedback,
  kind: (record, { kind }) => kindOf(record) === kind || (kind === 'turn' && !isRefusal(record)),
  door: (record, { door }) => record.door === door,
  model: (record, { model }) => !isRefusal(record) && record.model === model,
  tier: (record, { tier }) => !isRefusal(record) && record.tier === tier,
  reason: (record, { reason = '' }) => reasonsOf(record).includes(reason),
  outcome: (record, { outcome }) => outcomesOf(record).includes(outcome ?? ''),
  isDegraded: (record, { isDegraded }) => !isRefusal(record) && record.isDegraded === isDegraded,
  costMicroUsdMin: (record, { costMicroUsdMin = 0 }) => costOf(record) >= costMicroUsdMin,
  costMicroUsdMax: (record, { costMicroUsdMax = Infinity }) => costOf(record) <= costMicroUsdMax,
  totalMsMin: (record, { totalMsMin = 0 }) => totalMsOf(record) >= totalMsMin,
}

const FIELDS = Object.keys(TESTS) as (keyof RecordsFilter)[]

export function matchesRecords(record: StoredRecord, filter: RecordsFilter): boolean {
  return FIELDS.every((field) => filter[field] === undefined || TESTS[field](record, filter))
}

export function isRefusal(record: StoredRecord): record is Extract<StoredRecord, { readonly kind: 'refusal' }> {
  return record.kind === 'refusal'
}

export function isTurn(record: StoredRecord): record is TurnRecord {
  return !isRefusal(record)
}

export function idOf(record: StoredRecord): string {
  return isRefusal(record) ? record.refusalId : record.turnId
}

export function positionOfRecord(record: StoredRecord): RecordPosition {
  return { at: record.at, turnId: idOf(record) }
}

export function kindOf({ kind = 'chat' }: StoredRecord): RecordKind {
  return kind
}

/** The words of `reason`, each once and in order. */
export function reasonsOf(record: StoredRecord): readonly string[] {
  const words = isRefusal(record)
    ? [record.scope, record.reason]
    : [...(record.reason?.split(' ') ?? []), record.failure, ...(record.stop === undefined ? [] : [record.stop])]
  const known = new Set(words.flatMap((word) => (word === undefined || word === '' ? [] : [word])))
  return [...known].toSorted((one, other) => (one < other ? -1 : 1))
}

function outcomesOf(record: StoredRecord): readonly string[] {
  return isRefusal(record) ? [record.code, 'refused'] : [record.finishReason]
}

export function costOf(record: StoredRecord): number {
  return isRefusal(record) ? 0 : record.costMicroUsd
}

export function totalMsOf(record: StoredRecord): number {
  return isRefusal(record) ? 0 : record.totalMs
}

export function experimentsOf(record: StoredRecord): readonly string[] {
  return isRefusal(record) ? [] : [...new Set(record.routing?.exposures.map(({ experiment }) => experiment))]
}

/** Negative when `a` is newer. */
export function compareRecords(a: RecordPosition, b: RecordPosition): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.turnId === b.turnId) return 0
  return a.turnId > b.turnId ? -1 : 1
}
