// Turn records and refusals for operators: lists by any filter, newest first, and the whole story of one turn. Equal questions within
// a moment share one answer, so that many screens that watch the same list cost as much as one.
import type { RecordView, TurnStoryView, UsageRow } from '@mangaassist/protocol/admin'
import type { Config } from '#config/config.ts'
import { estimateErrorOf } from '#domain/ledger/ledger-row.ts'
import { Refusal } from '#domain/refusal.ts'
import { idOf, isRefusal, positionOfRecord } from '#domain/turn-records/records-filter.ts'
import { whyNotFirstChoice } from '#domain/turn-records/why-not-first-choice.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { RecordsFilter, RecordsPage, StoredRecord, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import { feedbackView } from './feedback.ts'
import { recordCursor, recordPositionIn, recordsWithin } from './records-page.ts'
import type { Days } from './records-page.ts'
import type { Page } from './usage.ts'

export interface TurnRecordQueriesParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'store'>
  readonly ledger: Pick<Ledger, 'ofTurn'>
  readonly turnRecords: Pick<TurnRecords, 'list'>
}

export type TurnRecordsAsked = Omit<RecordsFilter, 'from' | 'to' | 'kind'> &
  Days & {
    readonly kind?: RecordsFilter['kind'] | 'any'
    /** The `newest` of an earlier list: only what was recorded since. */
    readonly since?: string
  }

export interface TurnRecordsPage {
  readonly records: readonly RecordView[]
  readonly next?: string
  /** Where a list of what follows begins; absent on an empty page. */
  readonly newest?: string
}

/** A node writes its records this long behind their turns, so that they can come after newer ones of other nodes. */
const BEHIND_MS = 5000
/** For so long equal questions get the same answer. */
const SHARED_MS = 500
const SHARED_MAX = 100
const SAME_REQUEST_MAX = 20

export function createTurnRecordQueries({ clock, config, ledger, turnRecords }: TurnRecordQueriesParts) {
  const shared = new BoundedMap<string, { readonly at: number; readonly page: Promise<RecordsPage> }>(SHARED_MAX)

  /** A page that was just asked for is not read again; one that failed is. */
  function list(...asked: Parameters<TurnRecords['list']>): Promise<RecordsPage> {
    const key = JSON.stringify(asked)
    const known = shared.get(key)
    if (known !== undefined && clock.now() - known.at < SHARED_MS) return known.page
    const page = turnRecords.list(...asked)
    shared.set(key, { at: clock.now(), page })
    page.catch(() => shared.delete(key))
    return page
  }

  function filterOf({ from, kind: given, since, to, ...asked }: TurnRecordsAsked): RecordsFilter {
    const kind = given ?? kindAsked(asked)
    const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    const within = recordsWithin(days, config.store.timeZone)
    const newer = since === undefined ? 0 : recordPositionIn(since, 'since').at - BEHIND_MS
    return {
      ...asked,
      ...(kind === 'any' ? {} : { kind }),
      ...within,
      ...(newer > (within.from ?? 0) ? { from: newer } : {}),
    }
  }

  async function rowsOf(record: StoredRecord): Promise<readonly UsageRow[]> {
    if (isRefusal(record)) return []
    const rows = await ledger.ofTurn(record.turnId)
    return rows.map((row) => {
      const error = estimateErrorOf(row)
      return error === undefined ? row : { ...row, estimateError: Math.round(error * 1000) / 1000 }
    })
  }

  return {
    async turnRecords(asked: TurnRecordsAsked, page: Page): Promise<TurnRecordsPage> {
      const filter = filterOf(asked)
      const after = page.after === undefined ? undefined : recordPositionIn(page.after)
      const found = await list(filter, page.limit, after)
      const newest = found.records[0]
      return {
        records: found.records.map(recordView),
        ...(found.next === undefined ? {} : { next: recordCursor(found.next) }),
        ...(newest === undefined ? {} : { newest: recordCursor(positionOfRecord(newest)) }),
      }
    },

    /** By the id of a turn, a refusal or a request; of several with one request id, the newest. Throws NOT_FOUND. */
    async turnStory(id: string): Promise<TurnStoryView> {
      const [record] = (await list({ recordId: id }, 1)).records
      const requestId = record === undefined ? id : record.requestId
      const others = requestId === undefined ? [] : (await list({ requestId }, SAME_REQUEST_MAX)).records
      const found = record ?? others[0]
      if (found === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'id' } })
      return {
        record: recordView(found),
        log: isRefusal(found) ? null : logOf(found),
        whyNotFirstChoice: isRefusal(found) ? null : (whyNotFirstChoice(found) ?? null),
        ledger: [...(await rowsOf(found))],
        sameRequest: others.map(idOf).filter((other) => other !== idOf(found)),
      }
    },
  }
}

/** Refusals are listed only where they are asked for: by kind, by an error code, or by an id. */
function kindAsked({ outcome, recordId, requestId }: RecordsFilter): 'turn' | 'any' {
  const isCode = outcome !== undefined && (outcome === 'refused' || outcome === outcome.toUpperCase())
  return isCode || recordId !== undefined || requestId !== undefined ? 'any' : 'turn'
}

/** Null for records of versions that stored no lines. */
function logOf({ epoch = 1, lines, linesLeftOut = 0 }: TurnRecord): TurnStoryView['log'] {
  if (lines === undefined) return null
  return {
    lines: lines.map(({ at, ...line }) => ({ at: isoTime(at), ...line })),
    leftOut: linesLeftOut,
    isOfLastOwner: epoch > 1,
  }
}

/** Without log lines, which only a story has. The schema of the view has mutable lists. */
function recordView(record: StoredRecord): RecordView {
  if (isRefusal(record)) return { ...record, at: isoTime(record.at), since: isoTime(record.since) }
  const { acceptedAt, at, calls, lines: _, linesLeftOut: __, ...story } = record
  const { mismatches, missing, passed, received, retrieved, routing, sentTo, weighed, ...rest } = story
  const { feedback, ...noted } = received
  return {
    ...rest,
    at: isoTime(at),
    ...(acceptedAt === undefined ? {} : { acceptedAt: isoTime(acceptedAt) }),
    ...(routing === undefined ? {} : { routing: { ...routing, exposures: [...routing.exposures] } }),
    ...(weighed === undefined ? {} : { weighed: { ...weighed, plain: [...weighed.plain] } }),
    ...(calls === undefined ? {} : { calls: [...calls] }),
    ...(passed === undefined ? {} : { passed: [...passed] }),
    ...(missing === undefined ? {} : { missing: [...missing] }),
    ...(sentTo === undefined ? {} : { sentTo: [...sentTo] }),
    ...(retrieved === undefined ? {} : { retrieved: { products: [...retrieved.products], faq: [...retrieved.faq] } }),
    mismatches: [...mismatches],
    received: { ...noted, ...(feedback === undefined ? {} : { feedback: feedbackView(feedback) }) },
  }
}
