// Turn records in Redis: a hash for each on the slot of its turn, so that a turn's record is read and changed in one step, and an
// index for each day. All of it expires. Records are written after their entries in the index, and removed before them.
import { createHash } from 'node:crypto'
import { idOf, isRefusal, isTurn, matchesRecords, positionOfRecord } from '#domain/turn-records/records-filter.ts'
import { newestOf } from '#domain/turn-records/newest-of.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, RECORDS_ADOPTED_MAX, UNIT_KEPT_MS } from '#ports/turn-records/port.ts'
import type {
  Feedback,
  Noted,
  Received,
  RecordPosition,
  RecordsFilter,
  RecordsPage,
  RecordsOf,
  RefusalRecord,
  StoredRecord,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'
import type { Redis } from '../client/connection.ts'
import { hashFields } from '../client/hash-fields.ts'
import { DayIndex, entriesOf, entryOf, isOfRefusals, isOfTurns } from './day-index.ts'
import { ADD, ADD_NOTE, REMEMBER_FORGOTTEN, FORGOTTEN, SET_FEEDBACK, SET_PRINCIPAL } from './scripts.ts'

export interface RedisTurnRecordsOptions {
  readonly redis: Redis
  readonly clock: Clock
  /** How long a record is stored. */
  readonly keepMs: number
}

const PAGE_RECORDS = 200
/** How many entries of the index one page of `list` looks at: a filter without an index of its own is continued by the next page. */
const LISTED_MAX = 2000
const FLAGS = ['followedUp', 'askedAgain', 'handedOver'] as const
const COUNTS = ['cardsOpened', 'resumed'] as const
/** More in one note are not counted. */
const RESUMED_AT_ONCE_MAX = 100
const FORGOTTEN_KEY = 'ma:{turn-records}:forgotten'

export function redisTurnRecords({ clock, keepMs, redis }: RedisTurnRecordsOptions): TurnRecords {
  const index = new DayIndex({ of: 'turn-records', clock, keepMs, redis })
  const refusals = new DayIndex({ of: 'turn-refusals', clock, keepMs, redis })
  const indexes = [index, refusals] as const

  async function read(id: string): Promise<StoredRecord | undefined> {
    const key = keyOf(id)
    return toRecord(hashFields(await redis.command(key, 'HGETALL', key)))
  }

  async function find(turnId: string): Promise<TurnRecord | undefined> {
    const record = await read(turnId)
    return record !== undefined && isTurn(record) ? record : undefined
  }

  /** What is stored at positions of the index, and matches. */
  async function readAt(positions: readonly RecordPosition[], filter: RecordsFilter): Promise<readonly StoredRecord[]> {
    const found = await Promise.all(positions.map(({ turnId }) => read(turnId)))
    return found.filter(
      (record, place) => record?.at === positions[place]?.at && record !== undefined && matchesRecords(record, filter),
    ) as readonly StoredRecord[]
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const records: TurnRecord[] = []
    if (filter.kind === 'refusal') return records
    for await (const positions of index.positions(filter, Math.min(limit, PAGE_RECORDS), after)) {
      records.push(...(await readAt(positions, filter)).filter(isTurn))
      if (records.length >= limit) break
    }
    return records.slice(0, limit)
  }

  /** The positions of turns and refusals together, newest first, in groups. */
  function positionsOf(filter: RecordsFilter, after?: RecordPosition): AsyncGenerator<readonly RecordPosition[]> {
    if (isOfRefusals(filter)) return refusals.positions(filter, PAGE_RECORDS, after)
    if (isOfTurns(filter)) return index.positions(filter, PAGE_RECORDS, after)
    return newestOf(indexes.map((one) => one.positions(filter, PAGE_RECORDS, after)))
  }

  async function list(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<RecordsPage> {
    if (filter.recordId !== undefined) {
      const record = await read(filter.recordId)
      return { records: record !== undefined && matchesRecords(record, filter) ? [record] : [] }
    }
    const records: StoredRecord[] = []
    let checked = 0
    for await (const positions of positionsOf(filter, after)) {
      records.push(...(await readAt(positions, filter)))
      checked += positions.length
      const last = records[limit - 1]
      if (records.length > limit && last !== undefined)
        return { records: records.slice(0, limit), next: positionOfRecord(last) }
      const end = positions.at(-1)
      if (checked >= LISTED_MAX && end !== undefined) return { records, next: end }
    }
    return { records }
  }

  /** Everything of a person or a conversation, refusals too. */
  async function ownOf(of: RecordsOf, limit: number): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = []
    for await (const positions of positionsOf(of)) {
      records.push(...(await readAt(positions, of)))
      if (records.length >= limit) break
    }
    return records.slice(0, limit)
  }

  /** Returns whether it is new. */
  async function addOne(record: StoredRecord): Promise<boolean> {
    const { principalId, received, ...facts } = isRefusal(record) ? { ...record, received: {} as Received } : record
    const { feedback } = received
    const stored = [JSON.stringify(facts), principalId, feedback === undefined ? '' : JSON.stringify(feedback)]
    return (await redis.run(ADD, [keyOf(idOf(record))], [keepMs, ...stored, ...notesOf(received)])) === 1
  }

  /** Removes the entries of a repeat that are not those of the stored record: it may differ, or be another principal's now. */
  async function unindexRepeat(record: StoredRecord): Promise<void> {
    const stored = await read(idOf(record))
    const kept = new Set(stored === undefined ? [] : entriesOf(stored).entries)
    const { at, entries } = entriesOf(record)
    await indexFor(record).remove([{ at, entries: entries.filter((entry) => !kept.has(entry)) }])
  }

  async function remove(records: readonly StoredRecord[]): Promise<void> {
    if (records.length === 0) return
    const keys = records.map((record) => keyOf(idOf(record)))
    await Promise.all(keys.map((key) => redis.command(key, 'DEL', key)))
    await Promise.all(byIndex(records, (one, own) => one.remove(own.map(entriesOf))))
  }

  /** Those that were forgotten before they came. */
  async function forgottenOf(records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
    if (records.length === 0) return []
    const names = records.flatMap(({ principalId, sessionId }) => [nameOf({ sessionId }), nameOf({ principalId })])
    const times = (await redis.run(FORGOTTEN, [FORGOTTEN_KEY], [LATE_MS, ...names])) as readonly number[]
    return records.filter(({ at }, place) => (times[2 * place] ?? 0) > 0 || at <= (times[2 * place + 1] ?? 0))
  }

  return {
    async add(records) {
      if (records.length === 0) return
      await Promise.all(byIndex(records, (one, own) => one.add(own.map(entriesOf))))
      const isNew = await Promise.all(records.map(addOne))
      await Promise.all(records.filter((_, place) => isNew[place] === false).map(unindexRepeat))
      // After the write: a `forget` from now on finds these records.
      await remove(await forgottenOf(records.filter((_, place) => isNew[place] === true)))
    },
    find,
    page,
    list,
    all: (filter) => eachOfPages<TurnRecord>(PAGE_RECORDS, (limit, after) => page(filter, limit, after)),
    async setFeedback(turnId, feedback) {
      const record = await find(turnId)
      if (record === undefined) return false
      if (feedback !== null) {
        const entry = entryOf({ feedback: feedback.value }, record)
        await index.add([{ at: record.at, entries: [entry] }])
      }
      const stored = feedback === null ? '' : JSON.stringify(feedback)
      return (await redis.run(SET_FEEDBACK, [keyOf(turnId)], [stored])) === 1
    },
    async note(turnId, noted) {
      await redis.run(ADD_NOTE, [keyOf(turnId)], [LATE_MS, ...notesOf(noted)])
    },
    async unitOf(principalId) {
      const unit = await redis.command(unitKey(principalId), 'GET', unitKey(principalId))
      return typeof unit === 'string' ? unit : principalId
    },
    async adopt(guestId, userId) {
      const key = unitKey(userId)
      const [known] = await page({ principalId: userId }, 1)
      const unit = known === undefined ? guestId : userId
      await redis.command(key, 'SET', key, unit, 'NX', 'PX', String(UNIT_KEPT_MS))
      const own = await ownOf({ principalId: guestId }, RECORDS_ADOPTED_MAX)
      if (own.length === 0) return
      const entriesFor = (records: readonly StoredRecord[], principalId: string) =>
        records.map((record) => ({ at: record.at, entries: [entryOf({ principalId }, positionOfRecord(record))] }))
      await Promise.all(byIndex(own, (one, some) => one.add(entriesFor(some, userId))))
      await Promise.all(own.map((record) => redis.run(SET_PRINCIPAL, [keyOf(idOf(record))], [guestId, userId])))
      await Promise.all(byIndex(own, (one, some) => one.remove(entriesFor(some, guestId))))
    },
    async forget(of) {
      // First, so that a record that is being added is removed by the node that adds it, or found here.
      await redis.run(REMEMBER_FORGOTTEN, [FORGOTTEN_KEY], [LATE_MS, nameOf(of)])
      let forgotten = 0
      for (;;) {
        const found = await ownOf(of, PAGE_RECORDS)
        await remove(found)
        forgotten += found.length
        if (found.length < PAGE_RECORDS) break
      }
      await Promise.all(indexes.map((one) => one.removeAllOf(of)))
      if ('principalId' in of) await redis.command(unitKey(of.principalId), 'DEL', unitKey(of.principalId))
      return forgotten
    },
    async sweep({ before, countMax, refusalsMax }, limit) {
      const removed = await sweepOne(index, { before, countMax }, limit)
      const left = limit - removed
      return left <= 0 ? removed : removed + (await sweepOne(refusals, { before, countMax: refusalsMax }, left))
    },
  }

  async function sweepOne(
    one: DayIndex,
    { before, countMax }: { readonly before: number; readonly countMax: number },
    limit: number,
  ): Promise<number> {
    const old = await one.oldest(before, limit)
    const excess = Math.min((await one.count()) - countMax, limit)
    const gone = excess > old.length ? await one.oldest(Number.MAX_SAFE_INTEGER, excess) : old
    const found = await Promise.all(gone.map(({ turnId }) => read(turnId)))
    await remove(found.filter((record) => record !== undefined))
    // Also the entries whose record has expired.
    if (gone.length > 0) await one.remove(gone.map((place) => ({ at: place.at, entries: [entryOf({}, place)] })))
    return gone.length
  }

  function indexFor(record: StoredRecord): DayIndex {
    return isRefusal(record) ? refusals : index
  }

  function byIndex<Result>(
    records: readonly StoredRecord[],
    work: (one: DayIndex, own: readonly StoredRecord[]) => Result,
  ): readonly Result[] {
    return [...Map.groupBy(records, indexFor)].map(([one, own]) => work(one, own))
  }
}

const keyOf = (turnId: string): string => `ma:{turn:${encodeURIComponent(turnId)}}:record`
export const unitKey = (principalId: string): string => `ma:{user:${encodeURIComponent(principalId)}}:unit`

/** A name that does not tell whose it is: it is stored after an erasure. */
function nameOf(of: RecordsOf): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url')
}

function notesOf(noted: Noted): readonly (string | number)[] {
  const resumed = Array.from({ length: Math.min(noted.resumed ?? 0, RESUMED_AT_ONCE_MAX) }, () => '+resumed')
  return [noted.cardsOpened ?? 0, ...FLAGS.filter((flag) => noted[flag] === true), ...resumed]
}

function toRecord(fields: ReadonlyMap<string, string>): StoredRecord | undefined {
  const text = fields.get('facts')
  if (text === undefined) return undefined
  const facts = JSON.parse(text) as Omit<TurnRecord, 'principalId'> | Omit<RefusalRecord, 'principalId'>
  const principalId = fields.get('principal') ?? ''
  if (facts.kind === 'refusal') return { ...facts, principalId }
  const [feedback, counts] = [fields.get('feedback'), COUNTS.filter((name) => fields.has(name))]
  const received = {
    ...(feedback === undefined ? {} : { feedback: JSON.parse(feedback) as Feedback }),
    ...Object.fromEntries(FLAGS.filter((flag) => fields.has(flag)).map((flag) => [flag, true])),
    ...Object.fromEntries(counts.map((name) => [name, Number(fields.get(name))])),
  }
  return { ...(facts as Omit<TurnRecord, 'principalId' | 'received'>), principalId, received }
}
