// Reads the lists of turn records: positions newest first, in groups, of the whole time or day by day.
import { newestOf } from '#domain/turn-records/newest-of.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RecordPosition, RecordsFilter } from '#ports/turn-records/port.ts'
import type { Item } from '../client/batches.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { RECORD_DAYS_KEY, dayOfRecord, entryIn, listsFor, moment, placeOfRecord, turnRecordsTable } from './table.ts'
import type { Entry } from './table.ts'

export interface ListsOptions {
  readonly dynamo: Dynamo
  readonly clock: Pick<Clock, 'now'>
  readonly keepMs: number
}

type Kinds = readonly ('turns' | 'refusals')[]

const GROUP_ENTRIES = 100
/** Above every place of a time. */
const END = '~'

export class RecordLists {
  readonly #options: ListsOptions

  constructor(options: ListsOptions) {
    this.#options = options
  }

  /** The entries of what may match, newest first. */
  async *entries(filter: RecordsFilter, kinds: Kinds, after?: RecordPosition): AsyncGenerator<readonly Entry[]> {
    const { clock, keepMs } = this.#options
    // DynamoDB may delete an item days after its time.
    const from = Math.max(filter.from ?? 0, clock.now() - keepMs)
    const to = Math.min(filter.to ?? Infinity, after === undefined ? Infinity : after.at + 1)
    const first = moment(from)
    const last = after !== undefined && after.at < to ? placeOfRecord(after) : Number.isFinite(to) ? moment(to) : END
    if (first > last) return
    const lists = listsFor(filter, kinds)
    const isBefore = ({ at, turnId }: Entry) => last === END || placeOfRecord({ at, turnId }) < last
    if ('whole' in lists) {
      for await (const group of this.#groups(lists.whole, [first, last])) yield group.filter(isBefore)
      return
    }
    for (const day of await this.#days(from, to)) {
      const shards = lists.ofDay(day).map((pk) => this.#groups(pk, [first, last]))
      for await (const group of newestOf(shards)) yield group.filter(isBefore)
    }
  }

  /** All entries of a list, also those whose record is gone. */
  async all(pk: string): Promise<readonly Item[]> {
    const items: Item[] = []
    for await (const some of this.#items(pk, ['', END])) items.push(...some)
    return items
  }

  /** The days that have records, newest first. */
  async #days(from: number, to: number): Promise<readonly string[]> {
    const bounds = [dayOfRecord(from), Number.isFinite(to) ? dayOfRecord(to) : END] as const
    const days: string[] = []
    for await (const items of this.#items(RECORD_DAYS_KEY, bounds)) days.push(...items.map(({ sk }) => String(sk)))
    return days
  }

  async *#groups(pk: string, bounds: readonly [string, string]): AsyncGenerator<readonly Entry[]> {
    for await (const items of this.#items(pk, bounds)) yield items.map(entryIn)
  }

  /** Newest first. */
  async *#items(pk: string, [from, to]: readonly [string, string]): AsyncGenerator<readonly Item[]> {
    const { dynamo } = this.#options
    let start: Record<string, unknown> | undefined
    do {
      const { Items: items = [], LastEvaluatedKey: next } = await dynamo.query({
        TableName: dynamo.tableName(turnRecordsTable),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from === '' ? ' ' : from, ':to': to },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: GROUP_ENTRIES,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      })
      if (items.length > 0) yield items
      start = next
    } while (start !== undefined)
  }
}
