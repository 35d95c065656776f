// The table of the ledger. A row is an item under its turn, so that the same turn and attempt cannot be stored twice; one index
// has the rows of a day, spread over shards, in the order of time, and another the rows of a principal. A row and its two index
// entries are below 1 KB each, so it costs three write units. The days that have rows are items under one key.
import { createHash } from 'node:crypto'
import { SHOP } from '#domain/identity/principal.ts'
import type { LedgerRow, RowPosition } from '#domain/ledger/ledger-row.ts'
import type { Item } from '../client/batches.ts'
import type { TableShape } from '../client/table-shape.ts'

export const ledgerTable: TableShape = {
  name: 'ledger',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [
    { name: 'by-day', partition: { name: 'shard', type: 'S' }, sort: { name: 'place', type: 'S' }, projects: 'all' },
    { name: 'by-user', partition: { name: 'user', type: 'S' }, sort: { name: 'dayPlace', type: 'S' }, projects: 'all' },
  ],
  actions: ['PutItem', 'Query', 'UpdateItem'],
}

/** At 100 million messages a day and a peak of five times the mean, a shard gets 360 rows a second of the 1,000 that it bears. */
export const LEDGER_SHARDS = 16
/** Times with the same number of digits sort as text as they do as numbers; so do attempts. */
const MOMENT_DIGITS = 15
const ATTEMPT_DIGITS = 4

export const DAYS_KEY = 'days'
export const turnKey = (turnId: string): string => `turn#${turnId}`
export const attemptKey = (attempt: number): string => String(attempt).padStart(ATTEMPT_DIGITS, '0')
export const shardKey = (day: string, shard: number): string => `${day}#${shard}`

/** Where a row is among the rows of its day. */
export const placeOf = ({ at, attempt, turnId }: Omit<RowPosition, 'day'>): string =>
  `${String(at).padStart(MOMENT_DIGITS, '0')}#${turnId}#${attemptKey(attempt)}`
export const dayPlaceOf = (row: RowPosition): string => `${row.day}#${placeOf(row)}`

export function itemOf(row: LedgerRow): Item {
  return {
    ...row,
    pk: turnKey(row.turnId),
    sk: attemptKey(row.attempt),
    shard: shardKey(row.day, shardOf(row.turnId)),
    place: placeOf(row),
    // The shop's own calls are as many as those of many shoppers: one partition would be hot, so they are found by day only.
    ...(row.principalId === SHOP ? {} : { user: row.principalId, dayPlace: dayPlaceOf(row) }),
  }
}

export function rowOf({
  pk: _,
  sk: _sk,
  shard: _shard,
  place: _place,
  user: _user,
  dayPlace: _dp,
  ...row
}: Item): LedgerRow {
  return row as unknown as LedgerRow
}

function shardOf(turnId: string): number {
  return createHash('sha256').update(turnId).digest().readUInt32BE() % LEDGER_SHARDS
}
