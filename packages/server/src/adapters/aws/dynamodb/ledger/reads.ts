// Reads of the ledger's indexes, in pages: the rows of a day from all its shards at once, or in the order of time; the rows of a
// principal. At most a page of each shard is in memory.
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { SHOP } from '#domain/identity/principal.ts'
import { matchesFilter } from '#domain/ledger/ledger-row.ts'
import type { LedgerFilter, LedgerRow, RowPosition } from '#domain/ledger/ledger-row.ts'
import type { Item } from '../client/batches.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { DAYS_KEY, dayPlaceOf, ledgerTable, LEDGER_SHARDS, placeOf, rowOf, shardKey } from './table.ts'

/** About 120 kB. A larger page would keep the event loop busy for too long. */
const PAGE_ROWS = 250
const PAGE_ROWS_MIN = 10
/** Below and above every day, and above every place in a day. */
const FIRST = '0'
const LAST = '9999'
const END = '~'

/** The parts of a filter that the index of principals cannot select by. */
const NOT_IN_KEY: ReadonlySet<string> = new Set(['sessionId', 'model', 'tier', 'outcome', 'tag'])

interface Range {
  readonly index?: string
  readonly partition: readonly [name: string, value: string]
  readonly sort: readonly [name: string, from: string, to: string]
  readonly pageRows?: number
  /** Absent: all. */
  readonly attributes?: string
}

/** Where a read begins, and how many rows are wanted, if that is known. */
export interface ReadFrom {
  readonly after?: RowPosition | undefined
  readonly wanted?: number
}

interface ShardFrom {
  /** A place; empty: the beginning. */
  readonly after: string
  readonly pageRows?: number
  readonly attributes?: string
}

export class LedgerReads {
  readonly #dynamo: Dynamo

  constructor(dynamo: Dynamo) {
    this.#dynamo = dynamo
  }

  /** The pages of matching rows, in no order. */
  async *unordered(filter: LedgerFilter): AsyncGenerator<readonly LedgerRow[]> {
    const matching = (items: readonly Item[]) => items.map(rowOf).filter((row) => matchesFilter(row, filter))
    if (isByUser(filter)) {
      for await (const items of this.ofUser(filter)) yield matching(items)
      return
    }
    for (const day of await this.#daysOf(filter)) {
      let shards = this.#shardsOf(day)
      while (shards.length > 0) {
        const pages = await Promise.all(shards.map((shard) => shard.next()))
        for (const { done, value } of pages) if (done !== true) yield matching(value)
        shards = shards.filter((_, index) => pages[index]?.done !== true)
      }
    }
  }

  /** What each row of a day cost, in no order: of a million rows with their texts, most of the work would be to decode them. */
  async *costs(day: string): AsyncGenerator<Pick<LedgerRow, 'principalId' | 'costMicroUsd'>> {
    let shards = this.#shardsOf(day, { after: '', attributes: 'principalId, costMicroUsd, #sort' })
    while (shards.length > 0) {
      const pages = await Promise.all(shards.map((shard) => shard.next()))
      for (const { done, value } of pages)
        if (done !== true) yield* value as unknown as readonly Pick<LedgerRow, 'principalId' | 'costMicroUsd'>[]
      shards = shards.filter((_, index) => pages[index]?.done !== true)
    }
  }

  /** The matching rows by day and time, after a position. */
  async *ordered(filter: LedgerFilter, from: ReadFrom = {}): AsyncGenerator<LedgerRow> {
    for await (const row of this.#inOrder(filter, from)) if (matchesFilter(row, filter)) yield row
  }

  /** The pages of a principal's items, by day and time. */
  ofUser(filter: LedgerFilter, { after, wanted = PAGE_ROWS }: ReadFrom = {}): AsyncGenerator<readonly Item[]> {
    const { day, from = FIRST, principalId = '', to = LAST } = filter
    const first = after === undefined ? FIRST : dayPlaceOf(after)
    const lowest = [first, day ?? FIRST, from].toSorted().at(-1) ?? FIRST
    const highest = [day ?? LAST, to].toSorted()[0] ?? LAST
    return this.#pages({
      index: 'by-user',
      partition: ['user', principalId],
      sort: ['dayPlace', lowest, `${highest}#${END}`],
      // With a further filter any number of rows may not match.
      pageRows: Object.keys(filter).some((name) => NOT_IN_KEY.has(name)) ? PAGE_ROWS : wanted + 1,
    })
  }

  async #daysOf({ day, from = FIRST, to = LAST }: LedgerFilter, after = FIRST): Promise<readonly string[]> {
    if (day !== undefined) return [day].filter((one) => from <= one && one <= to && after <= one)
    const first = from > after ? from : after
    const days: string[] = []
    for await (const items of this.#pages({ partition: ['pk', DAYS_KEY], sort: ['sk', first, to] }))
      days.push(...items.map(({ sk }) => String(sk)))
    return days
  }

  async *#inOrder(filter: LedgerFilter, from: ReadFrom): AsyncGenerator<LedgerRow> {
    const { after, wanted = Infinity } = from
    if (isByUser(filter)) {
      const before = after === undefined ? '' : dayPlaceOf(after)
      for await (const items of this.ofUser(filter, from))
        yield* items.filter(({ dayPlace }) => String(dayPlace) > before).map(rowOf)
      return
    }
    // The shards are about alike: with a few more than its part from each, most reads need one page of each.
    const pageRows = PAGE_ROWS_MIN + Math.ceil((2 * wanted) / LEDGER_SHARDS)
    for (const day of await this.#daysOf(filter, after?.day))
      yield* merged(this.#shardsOf(day, { after: day === after?.day ? placeOf(after) : '', pageRows }))
  }

  #shardsOf(day: string, from: ShardFrom = { after: '' }): AsyncGenerator<readonly Item[]>[] {
    return Array.from({ length: LEDGER_SHARDS }, (_, shard) => this.#ofShard(shardKey(day, shard), from))
  }

  async *#ofShard(shard: string, { after, ...size }: ShardFrom): AsyncGenerator<readonly Item[]> {
    const sort = ['place', after === '' ? FIRST : after, END] as const
    const pages = this.#pages({ index: 'by-day', partition: ['shard', shard], sort, ...size })
    for await (const items of pages) yield items.filter(({ place }) => String(place) > after)
  }

  async *#pages({ attributes, index, partition, sort, pageRows = PAGE_ROWS }: Range): AsyncGenerator<readonly Item[]> {
    const [sortName, from, to] = sort
    // DynamoDB refuses a range that is empty.
    if (from > to) return
    let next: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
    do {
      const { Items: items = [], LastEvaluatedKey: last } = await this.#dynamo.query({
        TableName: this.#dynamo.tableName(ledgerTable),
        ...(index === undefined ? {} : { IndexName: index }),
        KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#partition': partition[0], '#sort': sortName },
        ExpressionAttributeValues: { ':partition': partition[1], ':from': from, ':to': to },
        ...(attributes === undefined ? {} : { ProjectionExpression: attributes }),
        Limit: Math.min(PAGE_ROWS, pageRows),
        ...next,
      })
      if (items.length > 0) yield items
      next = { ExclusiveStartKey: last }
    } while (next.ExclusiveStartKey !== undefined)
  }
}

/** The shop's rows are not in the index of principals. */
function isByUser({ principalId }: LedgerFilter): boolean {
  return principalId !== undefined && principalId !== SHOP
}

/** The rows of all shards in the order of their places. */
async function* merged(shards: readonly AsyncGenerator<readonly Item[]>[]): AsyncGenerator<LedgerRow> {
  const sources = shards.map((pages) => new Source(pages))
  await Promise.all(sources.map((source) => source.fill()))
  for (;;) {
    let first: Source | undefined
    for (const source of sources) if (source.place < (first?.place ?? END)) first = source
    if (first === undefined) return
    yield rowOf(first.take())
    // Shards are alike, so that the others are at their end soon, too.
    if (first.isEmpty) await Promise.all(sources.map((source) => source.fill()))
  }
}

class Source {
  readonly #pages: AsyncGenerator<readonly Item[]>
  #items: readonly Item[] = []
  #at = 0
  #isOver = false

  constructor(pages: AsyncGenerator<readonly Item[]>) {
    this.#pages = pages
  }

  get isEmpty(): boolean {
    return this.#at === this.#items.length
  }

  /** The place of the next row; at the end the last of all. */
  get place(): string {
    return this.isEmpty ? END : String(this.#items[this.#at]?.['place'])
  }

  take(): Item {
    this.#at += 1
    return this.#items[this.#at - 1] as Item
  }

  async fill(): Promise<void> {
    while (this.isEmpty && !this.#isOver) {
      const { done, value } = await this.#pages.next()
      if (done === true) this.#isOver = true
      else [this.#items, this.#at] = [value, 0]
    }
  }
}
