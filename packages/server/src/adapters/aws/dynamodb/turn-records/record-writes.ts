// Writes of single records, each with its condition: a record is added once, with the notes that waited for it; a note is added to its
// record, or waits for it until `notedUntil`.
import { isRefusal, idOf } from '#domain/turn-records/records-filter.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS } from '#ports/turn-records/port.ts'
import type { Feedback, Noted, StoredRecord } from '#ports/turn-records/port.ts'
import { isWritten } from '../client/conditions.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { recordBodyOf, expressionOf, notedUpdate, receivedUpdate } from './record-item.ts'
import type { Update } from './record-item.ts'
import { recordKey } from './table.ts'

export interface RecordWritesOptions {
  readonly dynamo: Dynamo
  readonly clock: Pick<Clock, 'now'>
  /** The full name. */
  readonly table: string
  readonly keepMs: number
}

/** Each try fails only because another writer was quicker. */
const TRIES_MAX = 8
const IS_RECORD = 'attribute_exists(body)'
/** No record yet, and no notes that have waited for too long. */
const IS_OPEN = 'attribute_not_exists(body) AND (attribute_not_exists(notedUntil) OR notedUntil > :now)'

export class RecordWrites {
  readonly #options: RecordWritesOptions

  constructor(options: RecordWritesOptions) {
    this.#options = options
  }

  /** Returns whether it is new. */
  async add(record: StoredRecord, expiresAt: number): Promise<boolean> {
    const { add, set } = isRefusal(record) ? { add: {}, set: {} } : receivedUpdate(record.received)
    const stored = { body: recordBodyOf(record), principal: record.principalId, expiresAt }
    const update = { add, set: { ...set, ...stored } }
    const id = idOf(record)
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (await this.#update(id, update, { condition: IS_OPEN, remove: ['notedUntil'] })) return true
      if (!(await this.#removeStale(id))) return false
    }
    throw new StoreUnavailable(`the record ${id} is changed all the time`)
  }

  async note(turnId: string, noted: Noted): Promise<void> {
    const update = notedUpdate(noted)
    if (Object.keys({ ...update.set, ...update.add }).length === 0) return
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (await this.#update(turnId, update, { condition: IS_RECORD })) return
      const until = this.#options.clock.now() + LATE_MS
      const waits = { notedUntil: until, expiresAt: Math.ceil(until / 1000) }
      if (await this.#update(turnId, { ...update, set: { ...update.set, ...waits } }, { condition: IS_OPEN })) return
      await this.#removeStale(turnId)
    }
    throw new StoreUnavailable(`the record ${turnId} is changed all the time`)
  }

  setFeedback(turnId: string, feedback: Feedback | null): Promise<boolean> {
    if (feedback === null)
      return this.#update(turnId, { set: {}, add: {} }, { condition: IS_RECORD, remove: ['feedback'] })
    return this.#update(turnId, { set: { feedback: JSON.stringify(feedback) }, add: {} }, { condition: IS_RECORD })
  }

  /** Gives the record to another principal; false when it is not the first one's. */
  rename(id: string, from: string, to: string): Promise<boolean> {
    const { dynamo, table } = this.#options
    return isWritten(() =>
      dynamo.update({
        TableName: table,
        Key: recordKey(id),
        UpdateExpression: 'SET principal = :to',
        ConditionExpression: 'principal = :from',
        ExpressionAttributeValues: { ':from': from, ':to': to },
      }),
    )
  }

  #update(
    id: string,
    update: Update,
    { condition, remove = [] }: { readonly condition: string; readonly remove?: readonly string[] },
  ): Promise<boolean> {
    const { clock, dynamo, table } = this.#options
    const { values, ...expression } = expressionOf(update, remove)
    const all = { ...values, ...(condition.includes(':now') ? { ':now': clock.now() } : {}) }
    return isWritten(() =>
      dynamo.update({
        TableName: table,
        Key: recordKey(id),
        ...expression,
        ConditionExpression: condition,
        ...(Object.keys(all).length === 0 ? {} : { ExpressionAttributeValues: all }),
      }),
    )
  }

  /** Removes notes that have waited for too long; false when there is a record. */
  async #removeStale(id: string): Promise<boolean> {
    const { clock, dynamo, table } = this.#options
    const isRemoved = await isWritten(() =>
      dynamo.delete({
        TableName: table,
        Key: recordKey(id),
        ConditionExpression: 'attribute_not_exists(body) AND notedUntil <= :now',
        ExpressionAttributeValues: { ':now': clock.now() },
      }),
    )
    if (isRemoved) return true
    const { Item: item } = await dynamo.get({ TableName: table, Key: recordKey(id), ConsistentRead: true })
    return item?.['body'] === undefined
  }
}
