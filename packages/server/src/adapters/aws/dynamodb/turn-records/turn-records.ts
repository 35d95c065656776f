// Turn records in DynamoDB: entries of lists are written before their record and removed after it, so that a reader of an entry checks the
// record. Writes are idempotent by the id of the record. Records expire by the table's time to live: `sweep` only
// removes days that are over from the list of days.
import { idOf, isRefusal, isTurn, matchesRecords, positionOfRecord } from '#domain/turn-records/records-filter.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, RECORDS_ADOPTED_MAX, UNIT_KEPT_MS } from '#ports/turn-records/port.ts'
import type {
  RecordPosition,
  RecordsFilter,
  RecordsOf,
  RecordsPage,
  StoredRecord,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'
import { deleteItems, getItems, putItems } from '../client/batches.ts'
import { isWritten } from '../client/conditions.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { RecordLists } from './lists.ts'
import { recordIn } from './record-item.ts'
import { RecordWrites } from './record-writes.ts'
import {
  RECORD_DAYS_KEY,
  dayOfRecord,
  entriesOfRecord,
  entryItem,
  forgottenKey,
  listsOf,
  mayMatch,
  placeOfRecord,
  recordKey,
  sessionList,
  thumbList,
  turnRecordsTable,
  unitItemKey,
  userList,
} from './table.ts'
import type { Entry } from './table.ts'

export interface DynamoTurnRecordsOptions {
  readonly dynamo: Dynamo
  readonly clock: Clock
  /** How long a record is stored. */
  readonly keepMs: number
}

const PAGE_RECORDS = 200
/** How many entries one page of `list` compares: a filter without a list of its own is continued by the next page. */
const LISTED_MAX = 5000
const DAY_MS = 86_400_000
const BOTH = ['turns', 'refusals'] as const
const TURNS = ['turns'] as const

export function dynamoTurnRecords({ clock, dynamo, keepMs }: DynamoTurnRecordsOptions): TurnRecords {
  const TableName = dynamo.tableName(turnRecordsTable)
  const batch = { dynamo, clock, table: TableName }
  const lists = new RecordLists({ dynamo, clock, keepMs })
  const writes = new RecordWrites({ dynamo, clock, table: TableName, keepMs })
  const writtenDays = new Set<string>()
  const expiresAt = (at: number) => Math.ceil((at + keepMs + DAY_MS) / 1000)

  async function read(id: string): Promise<StoredRecord | undefined> {
    return recordIn((await dynamo.get({ TableName, Key: recordKey(id), ConsistentRead: true })).Item)
  }

  async function find(turnId: string): Promise<TurnRecord | undefined> {
    const record = await read(turnId)
    return record !== undefined && isTurn(record) ? record : undefined
  }

  /** What is stored for entries, and matches, in their order. */
  async function readAt(entries: readonly Entry[], filter: RecordsFilter): Promise<readonly StoredRecord[]> {
    const wanted = entries.filter((entry) => mayMatch(entry, filter))
    if (wanted.length === 0) return []
    const keys = [...new Set(wanted.map(({ turnId }) => turnId))].map(recordKey)
    const found = await getItems(batch, keys, { consistent: true })
    const records = new Map(
      found.flatMap((item) => (recordIn(item) === undefined ? [] : [[item['pk'], recordIn(item)]])),
    )
    return wanted.flatMap(({ at, turnId }) => {
      const record = records.get(recordKey(turnId).pk)
      return record !== undefined && record.at === at && matchesRecords(record, filter) ? [record] : []
    })
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const records: TurnRecord[] = []
    if (filter.kind === 'refusal') return records
    for await (const entries of lists.entries(filter, TURNS, after)) {
      records.push(...(await readAt(entries, filter)).filter(isTurn))
      if (records.length >= limit) break
    }
    return records.slice(0, limit)
  }

  async function list(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<RecordsPage> {
    if (filter.recordId !== undefined) {
      const record = await read(filter.recordId)
      return { records: record !== undefined && matchesRecords(record, filter) ? [record] : [] }
    }
    const records: StoredRecord[] = []
    let checked = 0
    for await (const entries of lists.entries(filter, BOTH, after)) {
      records.push(...(await readAt(entries, filter)))
      checked += entries.length
      const last = records[limit - 1]
      if (records.length > limit && last !== undefined)
        return { records: records.slice(0, limit), next: positionOfRecord(last) }
      const end = entries.at(-1)
      if (checked >= LISTED_MAX && end !== undefined) return { records, next: { at: end.at, turnId: end.turnId } }
    }
    return { records }
  }

  /** Everything of a person or a conversation, refusals too. */
  async function ownOf(of: RecordsOf, limit: number): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = []
    for await (const entries of lists.entries(of, BOTH)) {
      records.push(...(await readAt(entries, of)))
      if (records.length >= limit) break
    }
    return records.slice(0, limit)
  }

  /** Before the records: a day without records does no harm, records of an unknown day would not be found. */
  async function writeDays(records: readonly StoredRecord[]): Promise<void> {
    const days = new Map(records.map(({ at }) => [dayOfRecord(at), at]))
    const missing = [...days].filter(([day]) => !writtenDays.has(day))
    await putItems(
      batch,
      missing.map(([day, at]) => ({ pk: RECORD_DAYS_KEY, sk: day, expiresAt: expiresAt(at + DAY_MS) })),
    )
    for (const [day] of missing) writtenDays.add(day)
  }

  /** Removes the entries of a repeat that are not those of the stored record: it may differ, or be another principal's now. */
  async function unindexRepeat(record: StoredRecord): Promise<void> {
    const stored = await read(idOf(record))
    const kept = new Set(stored === undefined ? [] : keysOf(stored).map(({ pk, sk }) => `${pk} ${sk}`))
    await deleteItems(
      batch,
      keysOf(record).filter(({ pk, sk }) => !kept.has(`${pk} ${sk}`)),
    )
  }

  async function remove(records: readonly StoredRecord[]): Promise<void> {
    await deleteItems(
      batch,
      records.map((record) => recordKey(idOf(record))),
    )
    await deleteItems(batch, records.flatMap(keysOf))
  }

  /** Those that were forgotten before they came. */
  async function forgottenOf(records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
    const keys = new Map(
      records.flatMap(({ principalId, sessionId }) =>
        [forgottenKey({ sessionId }), forgottenKey({ principalId })].map((key) => [key.pk, key]),
      ),
    )
    const found = await getItems(batch, [...keys.values()], { consistent: true })
    const since = clock.now() - LATE_MS
    const times = new Map(found.map(({ at, pk }) => [pk, Number(at)]))
    return records.filter(({ at, principalId, sessionId }) => {
      const [session, person] = [forgottenKey({ sessionId }), forgottenKey({ principalId })].map(
        ({ pk }) => times.get(pk) ?? 0,
      )
      return (session ?? 0) > since || ((person ?? 0) > since && at <= (person ?? 0))
    })
  }

  return {
    async add(records) {
      if (records.length === 0) return
      const unique = [...new Map(records.toReversed().map((record) => [idOf(record), record])).values()].toReversed()
      await writeDays(unique)
      await putItems(
        batch,
        unique.flatMap((record) => entriesOfRecord(record, expiresAt(record.at))),
      )
      const isNew = await Promise.all(unique.map((record) => writes.add(record, expiresAt(record.at))))
      for (const record of unique.filter((_, place) => isNew[place] === false)) await unindexRepeat(record)
      // After the write: a `forget` from now on finds these records.
      await remove(await forgottenOf(unique.filter((_, place) => isNew[place] === true)))
    },
    find,
    page,
    list,
    all: (filter) => eachOfPages<TurnRecord>(PAGE_RECORDS, (limit, after) => page(filter, limit, after)),
    async setFeedback(turnId, feedback) {
      const record = await find(turnId)
      if (record === undefined) return false
      if (feedback !== null) {
        const pk = thumbList(feedback.value, dayOfRecord(record.at))
        await putItems(batch, [entryItem(pk, record, expiresAt(record.at))])
      }
      return writes.setFeedback(turnId, feedback)
    },
    note: (turnId, noted) => writes.note(turnId, noted),
    async unitOf(principalId) {
      const { Item: item } = await dynamo.get({ TableName, Key: unitItemKey(principalId), ConsistentRead: true })
      return item !== undefined && Number(item['expiresAt']) > clock.now() / 1000 ? String(item['unit']) : principalId
    },
    async adopt(guestId, userId) {
      const [known] = await page({ principalId: userId }, 1)
      const now = Math.floor(clock.now() / 1000)
      const unit = { unit: known === undefined ? guestId : userId, expiresAt: now + Math.ceil(UNIT_KEPT_MS / 1000) }
      await isWritten(() =>
        dynamo.put({
          TableName,
          Item: { ...unitItemKey(userId), ...unit },
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': now },
        }),
      )
      const own = await ownOf({ principalId: guestId }, RECORDS_ADOPTED_MAX)
      await putItems(
        batch,
        own.map((record) => entryItem(userList(userId), record, expiresAt(record.at))),
      )
      for (const record of own) await writes.rename(idOf(record), guestId, userId)
      await deleteItems(
        batch,
        own.map((record) => ({ pk: userList(guestId), sk: placeOfRecord(positionOfRecord(record)) })),
      )
    },
    async forget(of) {
      const now = clock.now()
      // First, so that a record that is being added is removed by the node that adds it, or found here.
      const marker = { ...forgottenKey(of), at: now, expiresAt: Math.ceil((now + LATE_MS) / 1000) }
      await dynamo.put({ TableName, Item: marker })
      let forgotten = 0
      for (;;) {
        const found = await ownOf(of, PAGE_RECORDS)
        await remove(found)
        forgotten += found.length
        if (found.length < PAGE_RECORDS) break
      }
      // Also the entries whose record is gone.
      const left = await lists.all('principalId' in of ? userList(of.principalId) : sessionList(of.sessionId))
      await deleteItems(
        batch,
        left.map(({ pk, sk }) => ({ pk, sk })),
      )
      if ('principalId' in of) await dynamo.delete({ TableName, Key: unitItemKey(of.principalId) })
      return forgotten
    },
    async sweep({ before }) {
      const days = (await lists.all(RECORD_DAYS_KEY)).filter(({ sk }) => String(sk) < dayOfRecord(before - DAY_MS))
      await deleteItems(
        batch,
        days.map(({ pk, sk }) => ({ pk, sk })),
      )
      return 0
    },
  }
}

function keysOf(record: StoredRecord): readonly { readonly pk: string; readonly sk: string }[] {
  const sk = placeOfRecord(positionOfRecord(record))
  const day = dayOfRecord(record.at)
  // A thumb that was replaced has left an entry.
  const thumbs = isRefusal(record) ? [] : [thumbList('up', day), thumbList('down', day)]
  return [...new Set([...listsOf(record), ...thumbs])].map((pk) => ({ pk, sk }))
}
