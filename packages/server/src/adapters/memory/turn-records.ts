// Turn records in memory: for tests and simulations, and the oracle of the other adapters.
import { withFeedback, withNoted } from '#domain/turn-records/reception.ts'
import {
  compareRecords,
  idOf,
  isRefusal,
  isTurn,
  matchesRecords,
  positionOfRecord,
} from '#domain/turn-records/records-filter.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, NOTED_MAX, RECORDS_ADOPTED_MAX } from '#ports/turn-records/port.ts'
import type {
  Noted,
  RecordPosition,
  RecordsFilter,
  StoredRecord,
  TurnRecord,
  TurnRecords,
} from '#ports/turn-records/port.ts'

const PAGE_RECORDS = 500

export function memoryTurnRecords({ clock }: { readonly clock: Clock }): TurnRecords {
  const kept = new Map<string, StoredRecord>()
  const waiting = new BoundedMap<string, { readonly noted: Noted; readonly until: number }>(NOTED_MAX)
  const units = new Map<string, string>()
  /** When a person's or a conversation's records were removed. */
  const forgotten = new Map<string, number>()

  const matching = (filter: RecordsFilter): readonly StoredRecord[] =>
    [...kept.values()]
      .filter((record) => matchesRecords(record, filter))
      .sort((a, b) => compareRecords(positionOfRecord(a), positionOfRecord(b)))

  function isForgotten({ at, principalId, sessionId }: StoredRecord): boolean {
    const since = clock.now() - LATE_MS
    const [session, person] = [forgotten.get(`s ${sessionId}`) ?? 0, forgotten.get(`p ${principalId}`) ?? 0]
    return session > since || (person > since && at <= person)
  }

  function addOne(record: StoredRecord): void {
    if (kept.has(idOf(record)) || isForgotten(record)) return
    if (isRefusal(record)) return void kept.set(record.refusalId, record)
    const early = waiting.get(record.turnId)
    waiting.delete(record.turnId)
    const isInTime = early !== undefined && early.until > clock.now()
    kept.set(record.turnId, isInTime ? { ...record, received: withNoted(record.received, early.noted) } : record)
  }

  const behind = (filter: RecordsFilter, after: RecordPosition | undefined): readonly StoredRecord[] =>
    matching(filter).filter((record) => after === undefined || compareRecords(positionOfRecord(record), after) > 0)

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    return behind(filter, after).filter(isTurn).slice(0, limit)
  }

  function turn(turnId: string): TurnRecord | undefined {
    const record = kept.get(turnId)
    return record !== undefined && isTurn(record) ? record : undefined
  }

  return {
    async add(records) {
      for (const record of records) addOne(record)
    },
    find: async (turnId) => turn(turnId),
    page,
    async list(filter, limit, after) {
      const found = behind(filter, after)
      const last = found.length > limit ? found[limit - 1] : undefined
      return { records: found.slice(0, limit), ...(last === undefined ? {} : { next: positionOfRecord(last) }) }
    },
    all: (filter) => eachOfPages<TurnRecord>(PAGE_RECORDS, (limit, after) => page(filter, limit, after)),
    async setFeedback(turnId, feedback) {
      const record = turn(turnId)
      if (record === undefined) return false
      kept.set(turnId, { ...record, received: withFeedback(record.received, feedback) })
      return true
    },
    async note(turnId, noted) {
      const record = turn(turnId)
      if (record !== undefined) kept.set(turnId, { ...record, received: withNoted(record.received, noted) })
      else {
        const before = waiting.get(turnId)?.noted ?? {}
        waiting.set(turnId, { noted: withNoted(before, noted), until: clock.now() + LATE_MS })
      }
    },
    async unitOf(principalId) {
      return units.get(principalId) ?? principalId
    },
    async adopt(guestId, userId) {
      const isNew = !matching({ principalId: userId }).some(isTurn)
      if (!units.has(userId)) units.set(userId, isNew ? guestId : userId)
      for (const record of matching({ principalId: guestId }).slice(0, RECORDS_ADOPTED_MAX))
        kept.set(idOf(record), { ...record, principalId: userId })
    },
    async forget(of) {
      const gone = matching(of)
      for (const record of gone) kept.delete(idOf(record))
      if ('principalId' in of) units.delete(of.principalId)
      forgotten.set('principalId' in of ? `p ${of.principalId}` : `s ${of.sessionId}`, clock.now())
      return gone.length
    },
    async sweep({ before, countMax, refusalsMax }, limit) {
      const all = matching({})
      const excess = new Set([
        ...all.filter(isTurn).slice(countMax),
        ...all.filter(isRefusal).slice(refusalsMax),
      ] as readonly StoredRecord[])
      const gone = all.filter((record) => record.at < before || excess.has(record)).slice(-limit)
      for (const record of gone) kept.delete(idOf(record))
      return gone.length
    },
  }
}
