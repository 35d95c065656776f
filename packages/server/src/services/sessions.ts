// A shopper's own conversations; those of others are NOT_FOUND. Texts are shown as they were written, the products of a turn
// with their current data.
import type { SessionDetail, SessionSummary } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { continuability } from '#domain/turn/continuable.ts'
import { replacements } from '#domain/turn/current-turns.ts'
import { policyOf } from '#domain/turn/turn-policy.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { HandoverRequests } from '#stores/handover-requests.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Feedback, TurnRecords } from '#ports/turn-records/port.ts'
import type { Author } from './admin.ts'
import { feedbackView } from './feedback.ts'

export interface SessionQueriesParts {
  readonly clock: Clock
  readonly admin: Pick<AdminStore, 'note'>
  readonly sessions: SessionStore
  readonly budgets: Budgets
  readonly turnLog: TurnLog
  readonly turnRecords: Pick<TurnRecords, 'adopt' | 'forget' | 'page'>
  readonly products: ProductStore
  readonly handovers: Pick<HandoverRequests, 'adopt' | 'forget'>
  readonly config: Config
  /** Whether a conversation that is absent may still be written by another node. Default: never. */
  readonly isCatchingUp?: (() => boolean) | undefined
}

/** How many turns one page shows. */
export const TURNS_SHOWN_MAX = 200
/** How many turns of one conversation can be paged through; older turns stay in the store. */
const TURNS_PAGED_MAX = 5000
/** How many conversations of one principal can be paged through. */
const PAGED_MAX = 10_000

/** Who reads a conversation by the link of a hand-over. */
const BY_LINK: Author = { by: 'hand-over link', reason: 'a person was called to this conversation' }

export interface Transcript {
  /** Whose conversation it is. */
  readonly userId: string
  readonly expired: boolean
  readonly detail: SessionDetail
}

/** A part of a conversation: the newest turns, or those before a turn. */
export interface TurnsAsked {
  /** The id of the oldest turn that the caller has. */
  readonly before?: string | undefined
  /** At most and by default `TURNS_SHOWN_MAX`. */
  readonly limit?: number | undefined
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** The `after` of the next page; absent on the last page. */
  readonly next?: string
}

export function createSessionQueries(parts: SessionQueriesParts) {
  const { clock, config, handovers, products, sessions, budgets: state, turnLog, turnRecords } = parts
  const expired = (session: Session): boolean => clock.now() - session.lastActiveAt > config.sessions.idleExpiryMs

  async function own(principal: Principal, sessionId: string): Promise<Session> {
    const session = await sessions.find(sessionId)
    if (session === undefined && parts.isCatchingUp?.() === true)
      throw new StoreUnavailable('the conversation may not be written yet', { mayHaveHappened: false })
    if (session === undefined || session.principalId !== principal.id) {
      throw new Refusal('NOT_FOUND', { details: { field: 'sessionId' } })
    }
    return session
  }

  /** Absent also between a turn's admission and the opening of its log: there is nothing to resume yet. */
  async function running(turnId: string): Promise<Pick<SessionDetail, 'runningTurn'>> {
    const start = await turnLog.start(turnId)
    if (start === undefined) return {}
    const { continued, message: question, replaces } = start
    const place = replaces === undefined ? {} : { replaces, ...(continued === undefined ? {} : { continues: true }) }
    return { runningTurn: { turnId, question, ...place } }
  }

  /** Deletes the log of a running turn as soon as it has ended, instead of an hour later. Never rejects. */
  async function forgetWhenOver(sessionId: string, turnId: string): Promise<void> {
    const patience = new AbortController()
    using _timer = clock.after(config.deadlines.stream.endMs, () => patience.abort())
    try {
      for await (const _ of turnLog.follow(turnId, -1, patience.signal));
      await turnLog.forgetSession(sessionId)
    } catch {
      // The sweep deletes it later.
    }
  }

  /** The thumbs of the shown turns. Without their store the conversation is shown all the same. */
  async function thumbsOf({ id }: Session, limit: number): Promise<ReadonlyMap<string, Feedback>> {
    const records = await turnRecords.page({ sessionId: id }, limit).catch(() => [])
    return new Map(records.flatMap(({ received: { feedback }, turnId }) => (feedback ? [[turnId, feedback]] : [])))
  }

  /** The turns of a page, and what later turns say about them. */
  function pageOf(read: readonly StoredTurn[], { before, limit = TURNS_SHOWN_MAX }: TurnsAsked) {
    const end = before === undefined ? read.length : read.findIndex(({ turnId }) => turnId === before)
    if (end === -1) throw new Refusal('NOT_FOUND', { details: { field: 'before' } })
    const start = Math.max(0, end - limit)
    return { turns: read.slice(start, end), isFirst: start === 0, replacedBy: replacements(read) }
  }

  async function detailOf(session: Session, asked: TurnsAsked = {}): Promise<SessionDetail> {
    const { before, limit = TURNS_SHOWN_MAX } = asked
    // One more than is shown says whether there are earlier ones.
    const readMax = before === undefined ? limit + 1 : TURNS_PAGED_MAX
    const [read, runningTurnId, thumbs] = await Promise.all([
      sessions.recentTurns(session.id, readMax),
      state.runningTurn(session),
      thumbsOf(session, readMax),
    ])
    const { isFirst, replacedBy, turns } = pageOf(read, asked)
    const ids = new Set(turns.flatMap((turn) => turn.productIds))
    const known = new Map((await products.byIds([...ids])).map((product) => [product.id, product]))
    const isAnswered = runningTurnId === undefined || read.some((turn) => turn.turnId === runningTurnId)
    const oldest = isFirst ? undefined : turns[0]?.turnId
    return {
      ...summary(session),
      turns: turns.map((turn) =>
        shown(turn, known, {
          feedback: thumbs.get(turn.turnId),
          replacedBy: replacedBy.get(turn.turnId),
          continuedCharactersMax: config.tokens.continuedCharactersMax,
        }),
      ),
      ...(oldest === undefined ? {} : { earlier: oldest }),
      ...(isAnswered ? {} : await running(runningTurnId)),
    }
  }

  return {
    /** For staff, expired or not. Noted in the audit first, and read only if that succeeded. */
    async transcript(sessionId: string, { by, reason }: Author = BY_LINK): Promise<Transcript> {
      const session = await sessions.find(sessionId)
      if (session === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'sessionId' } })
      await parts.admin.note({
        at: clock.now(),
        by,
        action: 'transcript-read',
        subject: sessionId,
        before: null,
        after: null,
        reason,
      })
      return { userId: session.principalId, expired: expired(session), detail: await detailOf(session) }
    },

    /** A page of conversations after the conversation `after`, latest activity first. */
    async list(principal: Principal, after?: string): Promise<SessionPage> {
      const { listMax } = config.sessions
      const all = await sessions.listOf(principal.id, after === undefined ? listMax + 1 : PAGED_MAX)
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      if (start === 0 && after !== undefined) throw new Refusal('NOT_FOUND', { details: { field: 'after' } })
      const page = all.slice(start, start + listMax)
      const last = start + listMax < all.length ? page.at(-1) : undefined
      const shownNow = page.filter((session) => !expired(session)).map(summary)
      return { sessions: shownNow, ...(last === undefined ? {} : { next: last.id }) }
    },

    /** Throws NOT_FOUND also for a `before` that is no turn of the conversation. */
    async get(principal: Principal, sessionId: string, asked: TurnsAsked = {}): Promise<SessionDetail> {
      const session = await own(principal, sessionId)
      if (expired(session)) throw new Refusal('SESSION_EXPIRED')
      return detailOf(session, asked)
    },

    async remove(principal: Principal, sessionId: string): Promise<void> {
      const session = await own(principal, sessionId)
      const runningTurnId = await state.runningTurn(session)
      if (runningTurnId !== undefined) {
        await turnLog.requestStop(runningTurnId)
        void forgetWhenOver(sessionId, runningTurnId)
      }
      // First: when it fails, the conversation is still found and can be removed again.
      await turnRecords.forget({ sessionId })
      await handovers.forget({ sessionId })
      // Its texts in the log are deleted too, and the claims that lead to deleted answers.
      await sessions.remove(sessionId)
      const askers = [principal.id, ...(session.inheritedFrom === undefined ? [] : [session.inheritedFrom])]
      for (const id of await turnLog.forgetSession(sessionId))
        await Promise.all(askers.map((principalId) => state.forgetClaim({ id, principalId })))
    },

    /** Throws NOT_FOUND unless the session belongs to the principal, SESSION_EXPIRED if it has expired. */
    async check(principal: Principal, sessionId: string): Promise<Session> {
      const session = await own(principal, sessionId)
      if (expired(session)) throw new Refusal('SESSION_EXPIRED')
      return session
    },

    /** Whether a guest's turn belongs to the principal now, because the principal has adopted its conversation. */
    async isInherited(principal: Principal, turn: TurnStart): Promise<boolean> {
      if (turn.principal.kind !== 'guest') return false
      const session = await sessions.find(turn.sessionId)
      return session?.principalId === principal.id && session.inheritedFrom === turn.principal.id
    },

    /**
     * Whether the guest who asked has signed in since, so that the conversation belongs to the user. While the store is
     * unavailable, a running answer still counts as the guest's.
     */
    async isHandedOver(start: TurnStart): Promise<boolean> {
      const { principal, sessionId } = start
      if (principal.kind !== 'guest' || !policyOf(start).hasSession) return false
      const session = await sessions.find(sessionId).catch(() => undefined)
      return session !== undefined && session.principalId !== principal.id
    },

    /** Gives the conversations of a guest, their records and the guest's arms to the user as whom the guest signed in. Idempotent. */
    async adopt(guestId: string, { id }: Principal): Promise<void> {
      await sessions.adopt(guestId, id)
      await turnRecords.adopt(guestId, id)
      await handovers.adopt(guestId, id)
    },
  }
}

function summary(session: Session): SessionSummary {
  return {
    sessionId: session.id,
    title: session.title,
    version: session.version,
    createdAt: isoTime(session.createdAt),
    lastActiveAt: isoTime(session.lastActiveAt),
  }
}

interface ShownTurn {
  readonly feedback: Feedback | undefined
  readonly replacedBy: string | undefined
  readonly continuedCharactersMax: number
}

function shown(
  { productIds, suggestions, sources, at, askedAt: _, late: __, ...turn }: StoredTurn,
  known: ReadonlyMap<string, Product>,
  { feedback, replacedBy, continuedCharactersMax }: ShownTurn,
): SessionDetail['turns'][number] {
  const products = productIds.flatMap((id) => known.get(id) ?? [])
  return {
    ...turn,
    products: products.map((product) => toCard(product, turn.language)),
    ...(suggestions === undefined ? {} : { suggestions: [...suggestions] }),
    ...(sources === undefined ? {} : { sources: [...sources] }),
    ...(feedback === undefined ? {} : { feedback: feedbackView(feedback) }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...continuability({ finishReason: turn.finishReason, length: turn.answer.length }, continuedCharactersMax),
    at: isoTime(at),
  }
}
