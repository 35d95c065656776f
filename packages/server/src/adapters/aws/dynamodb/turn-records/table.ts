// The table of turn records and the keys of its items. A record is one item under its id; lists are items of their own under what they
// are for (a day's turns, spread over shards; a user, a conversation, a request, an experiment, a thumb), in the order of time. An entry has
// what a filter compares, so that records that do not match are not read. Without an index of DynamoDB: lists are consistent.
import { createHash } from 'node:crypto'
import { traitsMatch, traitsOf, UNKNOWN_CLASS } from '#domain/turn-records/record-traits.ts'
import type { RecordTraits } from '#domain/turn-records/record-traits.ts'
import {
  costOf,
  experimentsOf,
  idOf,
  isRefusal,
  positionOfRecord,
  totalMsOf,
} from '#domain/turn-records/records-filter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { RecordPosition, RecordsFilter, RecordsOf, StoredRecord } from '#ports/turn-records/port.ts'
import type { Item } from '../client/batches.ts'
import type { TableShape } from '../client/table-shape.ts'

export const turnRecordsTable: TableShape = {
  name: 'turn-records',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [],
  actions: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  expiresBy: 'expiresAt',
}

/** At 100 million messages a day and a peak of five times the mean, a shard gets 360 entries a second of the 1,000 that it bears. */
export const RECORD_SHARDS = 16
const EXPERIMENT_SHARDS = 4
/** Times with the same number of digits sort as text as they do as numbers. */
const MOMENT_DIGITS = 15

// An interface would not be an `Item`.
export type RecordItemKey = { readonly pk: string; readonly sk: string }

export const RECORD_DAYS_KEY = 'days'
export const recordKey = (id: string): RecordItemKey => ({ pk: `record#${id}`, sk: 'record' })
export const unitItemKey = (principalId: string): RecordItemKey => ({ pk: `unit#${principalId}`, sk: 'unit' })
/** The key does not say whose it is: it is stored after an erasure. */
export const forgottenKey = (of: RecordsOf): RecordItemKey => ({
  pk: `forgotten#${createHash('sha256').update(JSON.stringify(of)).digest('base64url')}`,
  sk: 'forgotten',
})

export const dayOfRecord = (at: number): string => isoTime(at).slice(0, 10)
export const placeOfRecord = ({ at, turnId }: RecordPosition): string => `${moment(at)}#${turnId}`
export const moment = (at: number): string => String(Math.max(0, Math.floor(at))).padStart(MOMENT_DIGITS, '0')

/** An entry of a list: a position, and what filters compare. */
export interface Entry extends RecordPosition {
  readonly traits: RecordTraits
  readonly cost: number
  readonly totalMs: number
}

export function entryIn({ sk, traits, cost, totalMs }: Item): Entry {
  const place = String(sk)
  return {
    at: Number(place.slice(0, MOMENT_DIGITS)),
    turnId: place.slice(MOMENT_DIGITS + 1),
    traits: JSON.parse(String(traits)) as RecordTraits,
    cost: Number(cost),
    totalMs: Number(totalMs),
  }
}

/** Whether the record of an entry may match; what changes later is compared with the record itself. */
export function mayMatch({ cost, totalMs, traits }: Entry, filter: RecordsFilter): boolean {
  const { costMicroUsdMax = Infinity, costMicroUsdMin = 0, totalMsMin = 0 } = filter
  return (
    cost >= costMicroUsdMin &&
    cost <= costMicroUsdMax &&
    totalMs >= totalMsMin &&
    traitsMatch(traits, filter) !== 'none'
  )
}

/** The entries of a record, with or without that of a thumb. */
export function entriesOfRecord(record: StoredRecord, expiresAt: number): readonly Item[] {
  return listsOf(record).map((pk) => entryItem(pk, record, expiresAt))
}

export function entryItem(pk: string, record: StoredRecord, expiresAt: number): Item {
  const traits = JSON.stringify({ ...traitsOf(record), costFrom: UNKNOWN_CLASS, totalMsFrom: UNKNOWN_CLASS })
  const figures = { cost: costOf(record), totalMs: totalMsOf(record) }
  return { pk, sk: placeOfRecord(positionOfRecord(record)), traits, ...figures, expiresAt }
}

export function listsOf(record: StoredRecord): readonly string[] {
  const { at, principalId, requestId, sessionId } = record
  const [day, id] = [dayOfRecord(at), idOf(record)]
  const feedback = isRefusal(record) ? undefined : record.received.feedback?.value
  return [
    dayList(isRefusal(record) ? 'refusals' : 'turns', day, shardOf(id, RECORD_SHARDS)),
    ...(principalId === '' ? [] : [userList(principalId)]),
    ...(sessionId === '' ? [] : [sessionList(sessionId)]),
    ...(requestId === undefined ? [] : [requestList(requestId)]),
    ...experimentsOf(record).map((name) => experimentList(name, day, shardOf(id, EXPERIMENT_SHARDS))),
    ...(feedback === undefined ? [] : [thumbList(feedback, day)]),
  ]
}

export const userList = (principalId: string): string => `user#${principalId}`
export const sessionList = (sessionId: string): string => `session#${sessionId}`
const requestList = (requestId: string): string => `request#${requestId}`
export const thumbList = (value: string, day: string): string => `thumb#${value}#${day}`
const experimentList = (name: string, day: string, shard: number): string => `experiment#${name}#${day}#${shard}`
const dayList = (of: 'turns' | 'refusals', day: string, shard: number): string => `${of}#${day}#${shard}`

/** The lists that have all that match: of the whole time, or of each day. */
export function listsFor(
  filter: RecordsFilter,
  kinds: readonly ('turns' | 'refusals')[],
): { readonly whole: string } | { readonly ofDay: (day: string) => readonly string[] } {
  const { experiment, feedback, principalId, requestId, sessionId } = filter
  if (requestId !== undefined) return { whole: requestList(requestId) }
  if (sessionId !== undefined) return { whole: sessionList(sessionId) }
  if (principalId !== undefined) return { whole: userList(principalId) }
  if (feedback !== undefined) return { ofDay: (day) => [thumbList(feedback, day)] }
  const shards = (count: number) => Array.from({ length: count }, (_, shard) => shard)
  if (experiment !== undefined)
    return { ofDay: (day) => shards(EXPERIMENT_SHARDS).map((shard) => experimentList(experiment, day, shard)) }
  return { ofDay: (day) => kinds.flatMap((of) => shards(RECORD_SHARDS).map((shard) => dayList(of, day, shard))) }
}

function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE() % shards
}
