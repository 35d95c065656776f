// Turn records in memory: for tests and simulations, and the oracle of the other adapters.
import { withFeedback, withNoted } from '#domain/turn-records/reception.ts'
import { compareRecords, matchesRecords } from '#domain/turn-records/records-filter.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import { LATE_MS, NOTED_MAX, RECORDS_ADOPTED_MAX } from '#ports/turn-records/port.ts'
import type { Noted, RecordPosition, RecordsFilter, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'

const PAGE_RECORDS = 500

export function memoryTurnRecords({ clock }: { readonly clock: Clock }): TurnRecords {
  const kept = new Map<string, TurnRecord>()
  const waiting = new BoundedMap<string, { readonly noted: Noted; readonly until: number }>(NOTED_MAX)
  const units = new Map<string, string>()
  /** When a person's or a conversation's records were removed. */
  const forgotten = new Map<string, number>()

  const matching = (filter: RecordsFilter): readonly TurnRecord[] =>
    [...kept.values()].filter((record) => matchesRecords(record, filter)).sort(compareRecords)

  function isForgotten({ at, principalId, sessionId }: TurnRecord): boolean {
    const since = clock.now() - LATE_MS
    const [session, person] = [forgotten.get(`s ${sessionId}`) ?? 0, forgotten.get(`p ${principalId}`) ?? 0]
    return session > since || (person > since && at <= person)
  }

  function addOne(record: TurnRecord): void {
    if (kept.has(record.turnId) || isForgotten(record)) return
    const early = waiting.get(record.turnId)
    waiting.delete(record.turnId)
    const isInTime = early !== undefined && early.until > clock.now()
    kept.set(record.turnId, isInTime ? { ...record, received: withNoted(record.received, early.noted) } : record)
  }

  async function page(filter: RecordsFilter, limit: number, after?: RecordPosition): Promise<readonly TurnRecord[]> {
    const found = matching(filter).filter((record) => after === undefined || compareRecords(record, after) > 0)
    return found.slice(0, limit)
  }

  return {
    async add(records) {
      for (const record of records) addOne(record)
    },
    async find(turnId) {
      return kept.get(turnId)
    },
    page,
    all: (filter) => eachOfPages<TurnRecord>(PAGE_RECORDS, (limit, after) => page(filter, limit, after)),
    async setFeedback(turnId, feedback) {
      const record = kept.get(turnId)
      if (record === undefined) return false
      kept.set(turnId, { ...record, received: withFeedback(record.received, feedback) })
      return true
    },
    async note(turnId, noted) {
      const record = kept.get(turnId)
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
      const isNew = matching({ principalId: userId }).length === 0
      if (!units.has(userId)) units.set(userId, isNew ? guestId : userId)
      for (const record of matching({ principalId: guestId }).slice(0, RECORDS_ADOPTED_MAX))
        kept.set(record.turnId, { ...record, principalId: userId })
    },
    async forget(of) {
      const gone = matching(of)
      for (const { turnId } of gone) kept.delete(turnId)
      if ('principalId' in of) units.delete(of.principalId)
      forgotten.set('principalId' in of ? `p ${of.principalId}` : `s ${of.sessionId}`, clock.now())
      return gone.length
    },
    async sweep({ before, countMax }, limit) {
      const all = matching({})
      const gone = all.filter(({ at }, index) => at < before || index >= countMax).slice(-limit)
      for (const { turnId } of gone) kept.delete(turnId)
      return gone.length
    },
  }
}
