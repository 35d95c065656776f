// Turn records for operators, newest first, in pages.
import type { TurnRecordView } from '@mangaassist/protocol/admin'
import type { Config } from '#config/config.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { RecordsFilter, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import { feedbackView } from './feedback.ts'
import { nextOfRecords, recordPositionIn, recordsWithin } from './records-page.ts'
import type { Days } from './records-page.ts'
import type { Page } from './usage.ts'

export interface TurnRecordQueriesParts {
  readonly config: Pick<Config, 'store'>
  readonly turnRecords: Pick<TurnRecords, 'page'>
}

export type TurnRecordsAsked = Omit<RecordsFilter, 'from' | 'to'> & Days

export interface TurnRecordsPage {
  readonly records: readonly TurnRecordView[]
  readonly next?: string
}

export function createTurnRecordQueries({ config, turnRecords }: TurnRecordQueriesParts) {
  return {
    async turnRecords({ from, to, ...asked }: TurnRecordsAsked, page: Page): Promise<TurnRecordsPage> {
      const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
      const filter = { ...asked, ...recordsWithin(days, config.store.timeZone) }
      const after = page.after === undefined ? undefined : recordPositionIn(page.after)
      const records = await turnRecords.page(filter, page.limit, after)
      return { records: records.map(viewOf), ...nextOfRecords(records, page.limit) }
    },
  }
}

/** The schema of the view has mutable lists. */
function viewOf({ at, mismatches, received, routing, weighed, ...record }: TurnRecord): TurnRecordView {
  const { feedback, ...rest } = received
  return {
    ...record,
    at: isoTime(at),
    ...(routing === undefined ? {} : { routing: { ...routing, exposures: [...routing.exposures] } }),
    ...(weighed === undefined ? {} : { weighed: { ...weighed, plain: [...weighed.plain] } }),
    mismatches: [...mismatches],
    received: { ...rest, ...(feedback === undefined ? {} : { feedback: feedbackView(feedback) }) },
  }
}
