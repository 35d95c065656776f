// Thumbs for operators: how many, by what answered, and the turns with a thumb down. Reading a conversation for it needs a
// reason, and each one that is read has a line in the audit first.
import type { FeedbackPart, FeedbackReport, WorstTurn } from '@mangaassist/protocol/admin'
import type { Config } from '#config/config.ts'
import { groupsOf, thumbShare } from '#domain/turn-records/thumbs.ts'
import type { ThumbCount } from '#domain/turn-records/thumbs.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { RecordsFilter, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import type { Author } from './admin.ts'
import { feedbackView } from './feedback.ts'
import { nextOfRecords, recordPositionIn, recordsWithin } from './records-page.ts'
import type { Days } from './records-page.ts'
import type { Page } from './usage.ts'

export interface FeedbackReportParts {
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'store'>
  readonly sessions: Pick<SessionStore, 'find' | 'recentTurns'>
  readonly turnRecords: Pick<TurnRecords, 'all' | 'page'>
}

export interface WorstPage {
  readonly turns: readonly WorstTurn[]
  readonly next?: string
}

type Texts = Pick<StoredTurn, 'question' | 'answer'>

/** Bounds the work of one report, for each value of a thumb. */
const COUNTED_MAX = 100_000
const TURNS_READ_MAX = 200

export function createFeedbackQueries({ admin, clock, config, sessions, turnRecords }: FeedbackReportParts) {
  const filterOf = (days: Days): RecordsFilter => recordsWithin(days, config.store.timeZone)

  /** Question and answer of each turn whose conversation still exists. */
  async function textsOf(records: readonly TurnRecord[], { by, reason }: Author): Promise<ReadonlyMap<string, Texts>> {
    const texts = new Map<string, Texts>()
    for (const sessionId of new Set(records.map((record) => record.sessionId))) {
      if ((await sessions.find(sessionId)) === undefined) continue
      const change = { action: 'transcript-read', subject: sessionId, before: null, after: null } as const
      await admin.note({ ...change, at: clock.now(), by, reason })
      for (const { turnId, question, answer } of await sessions.recentTurns(sessionId, TURNS_READ_MAX))
        texts.set(turnId, { question, answer })
    }
    return texts
  }

  return {
    /** Thumbs by one part, most thumbs first. */
    async feedback(by: FeedbackPart, days: Days): Promise<FeedbackReport> {
      const filter = filterOf(days)
      const groups = new Map<string, ThumbCount>()
      const totals = { up: 0, down: 0 }
      let isCut = false
      for (const feedback of ['up', 'down'] as const) {
        for await (const record of turnRecords.all({ ...filter, feedback })) {
          if (totals[feedback] === COUNTED_MAX) {
            isCut = true
            break
          }
          totals[feedback] += 1
          for (const key of groupsOf(record, by)) {
            const counted = groups.get(key) ?? { up: 0, down: 0 }
            groups.set(key, { ...counted, [feedback]: counted[feedback] + 1 })
          }
        }
      }
      const shown = [...groups].map(([key, counted]) => ({ key, ...thumbShare(counted) }))
      return { groups: shown.toSorted(byThumbs), totals: thumbShare(totals), isCut }
    },

    /** The turns with a thumb down, newest first; with an author also their texts. */
    async worstFeedback(days: Days, page: Page, author?: Author): Promise<WorstPage> {
      const after = page.after === undefined ? undefined : recordPositionIn(page.after)
      const records = await turnRecords.page({ ...filterOf(days), feedback: 'down' }, page.limit, after)
      const texts = author === undefined ? undefined : await textsOf(records, author)
      return {
        turns: records.flatMap((record) => worstOf(record, texts?.get(record.turnId)) ?? []),
        ...nextOfRecords(records, page.limit),
      }
    },
  }
}

type Group = ThumbCount & { readonly key: string }

function byThumbs(a: Group, b: Group): number {
  return b.up + b.down - a.up - a.down || a.key.localeCompare(b.key)
}

/** Undefined when the thumb was taken back meanwhile. */
function worstOf(record: TurnRecord, texts: Texts | undefined): WorstTurn | undefined {
  const { at, language, mismatches, model, promptVersion, received, routing, sessionId, tier, turnId } = record
  if (received.feedback === undefined) return undefined
  const { choice, exposures = [] } = routing ?? {}
  return {
    turnId,
    sessionId,
    at: isoTime(at),
    language,
    feedback: feedbackView(received.feedback),
    model,
    tier,
    ...(promptVersion === undefined ? {} : { prompt: promptVersion }),
    ...(choice === undefined ? {} : { route: { first: choice.first, rule: choice.rule, why: choice.why } }),
    exposures: exposures.map(({ arm, experiment }) => ({ experiment, arm })),
    mismatches: [...mismatches],
    ...texts,
  }
}
