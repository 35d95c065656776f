// Turn records in Redis: a hash for each on the slot of its turn, so that a turn's record is read and changed in one step, and an
// index for each day. All of it expires. Records are written after their entries in the index, and removed before them.
import { createHash } from 'node:crypto'
import { matchesRecords } from '#domain/turn-records/records-filter.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, RECORDS_ADOPTED_MAX, UNIT_KEPT_MS } from '#ports/turn-records/port.ts'
import type {
  Feedback,
  Noted,
  RecordPosition,
  RecordsFilter,
  RecordsOf,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'
import type { Redis } from '../client/connection.ts'
import { DayIndex, entriesOf, entryOf } from './day-index.ts'
import { ADD, ADD_NOTE, REMEMBER_FORGOTTEN, FORGOTTEN, SET_FEEDBACK, SET_PRINCIPAL } from './scripts.ts'

export interface RedisTurnRecordsOptions {
  readonly redis: Redis
  readonly clock: Clock
  /** How long a record is stored. */
  readonly keepMs: number
}

const PAGE_RECORDS = 200
const FLAGS = ['followedUp', 'askedAgain', 'handedOver'] as const
const FORGOTTEN_KEY = 'ma:{turn-records}:forgotten'

export function redisTurnRecords({ clock, keepMs, redis }: RedisTurnRecordsOptions): TurnRecords {
  const index = new DayIndex({ clock, keepMs, redis })

  async function find(turnId: string): Promise<TurnRecord | undefined> {
    const key = keyOf(turnId)
    return toRecord((await redis.command(key, 'HGETALL', key)) as Fields)
  }

  async function* matching(filter: RecordsFilter, size: number, after?: RecordPosition): AsyncGenerator<TurnRecord> {
    for await (const positions of index.positions(filter, size, after)) {
      const found = await Promise.all(positions.map(({ turnId }) => find(turnId)))
      for (const [place, record] of found.entries())
        if (record?.at === positions[place]?.at && record !== undefined && matchesRecords(record, filter)) yield record
    }
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const records: TurnRecord[] = []
    for await (const record of matching(filter, Math.min(limit, PAGE_RECORDS), after)) {
      records.push(record)
      if (records.length >= limit) break
    }
    return records
  }

  /** Returns whether it is new. */
  async function addOne({ principalId, received, ...facts }: TurnRecord): Promise<boolean> {
    const { feedback } = received
    const stored = [JSON.stringify(facts), principalId, feedback === undefined ? '' : JSON.stringify(feedback)]
    return (await redis.run(ADD, [keyOf(facts.turnId)], [keepMs, ...stored, ...notesOf(received)])) === 1
  }

  /** Removes the entries of a repeat that are not those of the stored record: it may differ, or be another principal's now. */
  async function unindexRepeat(record: TurnRecord): Promise<void> {
    const stored = await find(record.turnId)
    const kept = new Set(stored === undefined ? [] : entriesOf(stored).entries)
    const { at, entries } = entriesOf(record)
    await index.remove([{ at, entries: entries.filter((entry) => !kept.has(entry)) }])
  }

  async function remove(records: readonly TurnRecord[]): Promise<void> {
    if (records.length === 0) return
    const keys = records.map(({ turnId }) => keyOf(turnId))
    await Promise.all(keys.map((key) => redis.command(key, 'DEL', key)))
    await index.remove(records.map(entriesOf))
  }

  /** Those that were forgotten before they came. */
  async function forgottenOf(records: readonly TurnRecord[]): Promise<readonly TurnRecord[]> {
    if (records.length === 0) return []
    const names = records.flatMap(({ principalId, sessionId }) => [nameOf({ sessionId }), nameOf({ principalId })])
    const times = (await redis.run(FORGOTTEN, [FORGOTTEN_KEY], [LATE_MS, ...names])) as readonly number[]
    return records.filter(({ at }, place) => (times[2 * place] ?? 0) > 0 || at <= (times[2 * place + 1] ?? 0))
  }

  return {
    async add(records) {
      if (records.length === 0) return
      await index.add(records.map(entriesOf))
      const isNew = await Promise.all(records.map(addOne))
      await Promise.all(records.filter((_, place) => isNew[place] === false).map(unindexRepeat))
      // After the write: a `forget` from now on finds these records.
      await remove(await forgottenOf(records.filter((_, place) => isNew[place] === true)))
    },
    find,
    page,
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
      const own = await page({ principalId: guestId }, RECORDS_ADOPTED_MAX)
      if (own.length === 0) return
      const entriesFor = (principalId: string) =>
        own.map((record) => ({ at: record.at, entries: [entryOf({ principalId }, record)] }))
      await index.add(entriesFor(userId))
      await Promise.all(own.map(({ turnId }) => redis.run(SET_PRINCIPAL, [keyOf(turnId)], [guestId, userId])))
      await index.remove(entriesFor(guestId))
    },
    async forget(of) {
      // First, so that a record that is being added is removed by the node that adds it, or found here.
      await redis.run(REMEMBER_FORGOTTEN, [FORGOTTEN_KEY], [LATE_MS, nameOf(of)])
      let forgotten = 0
      for (;;) {
        const found = await page(of, PAGE_RECORDS)
        await remove(found)
        forgotten += found.length
        if (found.length < PAGE_RECORDS) break
      }
      await index.removeAllOf(of)
      if ('principalId' in of) await redis.command(unitKey(of.principalId), 'DEL', unitKey(of.principalId))
      return forgotten
    },
    async sweep({ before, countMax }, limit) {
      const old = await index.oldest(before, limit)
      const excess = Math.min((await index.count()) - countMax, limit)
      const gone = excess > old.length ? await index.oldest(Number.MAX_SAFE_INTEGER, excess) : old
      const found = await Promise.all(gone.map(({ turnId }) => find(turnId)))
      await remove(found.filter((record) => record !== undefined))
      // Also the entries whose record has expired.
      if (gone.length > 0) await index.remove(gone.map((place) => ({ at: place.at, entries: [entryOf({}, place)] })))
      return gone.length
    },
  }
}

const keyOf = (turnId: string): string => `ma:{turn:${encodeURIComponent(turnId)}}:record`
export const unitKey = (principalId: string): string => `ma:{user:${encodeURIComponent(principalId)}}:unit`

/** A name that does not tell whose it is: it is stored after an erasure. */
function nameOf(of: RecordsOf): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url')
}

function notesOf(noted: Noted): readonly (string | number)[] {
  return [noted.cardsOpened ?? 0, ...FLAGS.filter((flag) => noted[flag] === true)]
}

/** Names and values in turn, or a map of them. */
type Fields = readonly string[] | Readonly<Record<string, string>>

function toRecord(reply: Fields): TurnRecord | undefined {
  const fields = new Map(Array.isArray(reply) ? inPairs(reply as readonly string[]) : Object.entries(reply))
  const facts = fields.get('facts')
  if (facts === undefined) return undefined
  const [cards, feedback] = [fields.get('cardsOpened'), fields.get('feedback')]
  return {
    ...(JSON.parse(facts) as Omit<TurnRecord, 'principalId' | 'received'>),
    principalId: fields.get('principal') ?? '',
    received: {
      ...(feedback === undefined ? {} : { feedback: JSON.parse(feedback) as Feedback }),
      ...Object.fromEntries(FLAGS.filter((flag) => fields.has(flag)).map((flag) => [flag, true])),
      ...(cards === undefined ? {} : { cardsOpened: Number(cards) }),
    },
  }
}

function inPairs(values: readonly string[]): readonly (readonly [string, string])[] {
  return values.flatMap((value, place) => (place % 2 === 0 ? [[value, values[place + 1] ?? ''] as const] : []))
}
