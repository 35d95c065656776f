// A shopper's thumb for an answer, and the cards that were opened below it. Both belong to the owner of the conversation: for
// everyone else the turn does not exist. A turn whose record is not stored gets one from its log, or from its conversation.
import { FEEDBACK_REASON_MAX } from '@mangaassist/protocol'
import type { FeedbackRequest, FeedbackView, OpenedRequest, TurnFeedback } from '@mangaassist/protocol'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { recordOfTurn } from '#domain/turn-records/record-of-turn.ts'
import { isKnownKind, policyOf } from '#domain/turn/turn-policy.ts'
import { replay } from '#domain/turn/turn-state.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Feedback, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'

export interface FeedbackParts {
  readonly clock: Pick<Clock, 'now'>
  readonly sessions: Pick<SessionStore, 'find' | 'recentTurns'>
  readonly telemetry: Pick<Telemetry, 'count'>
  readonly turnLog: Pick<TurnLog, 'read'>
  readonly turnRecords: Pick<TurnRecords, 'add' | 'find' | 'note' | 'setFeedback'>
}

interface Found {
  readonly record: TurnRecord
  readonly isStored: boolean
}

/** How far back a turn is looked for in its conversation: as far as a page shows it. */
const TURNS_SEARCHED_MAX = 200
/** The turns of whose opened cards a node remembers which they were, to count each once. */
const OPENED_TURNS_MAX = 10_000

/** The cards of a turn that were reported to this node, and how many were counted before. */
interface Opened {
  readonly before: number
  readonly ids: Set<string>
}

export function createFeedback({ clock, sessions, telemetry, turnLog, turnRecords }: FeedbackParts) {
  const openedHere = new BoundedMap<string, Opened>(OPENED_TURNS_MAX)

  async function isOwn(principal: Principal, of: Pick<TurnRecord, 'principalId' | 'sessionId'>): Promise<boolean> {
    const session = await sessions.find(of.sessionId)
    if (session === undefined) return of.principalId === principal.id
    // A guest's turn that ended during the sign-in still has the guest's name.
    return (
      session.principalId === principal.id &&
      (of.principalId === principal.id || of.principalId === session.inheritedFrom)
    )
  }

  async function fromLog(principal: Principal, turnId: string): Promise<TurnRecord | undefined> {
    const records = await turnLog.read(turnId, -1)
    const { start, outcome } = replay(records ?? [])
    if (start === undefined || !isKnownKind(start) || !policyOf(start).hasSession) return undefined
    if (!(await isOwn(principal, { principalId: start.principal.id, sessionId: start.sessionId }))) throw notFound()
    if (outcome === undefined)
      throw new Refusal('SESSION_BUSY', { details: { field: 'turnId', reason: 'still-running' } })
    return { ...recordOfTurn(start, outcome), principalId: principal.id }
  }

  async function fromConversation(
    principal: Principal,
    turnId: string,
    sessionId: string | undefined,
  ): Promise<TurnRecord | undefined> {
    const session = sessionId === undefined ? undefined : await sessions.find(sessionId)
    if (session === undefined || session.principalId !== principal.id) return undefined
    const turns = await sessions.recentTurns(session.id, TURNS_SEARCHED_MAX)
    const index = turns.findIndex((turn) => turn.turnId === turnId)
    const turn = turns[index]
    return turn && recordOfStored(turn, { principal, session, position: session.version - turns.length + index })
  }

  async function find(principal: Principal, turnId: string, sessionId: string | undefined): Promise<Found> {
    const stored = await turnRecords.find(turnId)
    if (stored !== undefined) {
      // The caller of a completion is a program: it gives no thumbs.
      if (stored.kind === 'completion' || !(await isOwn(principal, stored))) throw notFound()
      return { record: stored, isStored: true }
    }
    const record = (await fromLog(principal, turnId)) ?? (await fromConversation(principal, turnId, sessionId))
    if (record === undefined) throw notFound()
    return { record, isStored: false }
  }

  /** The products whose cards the answer has. */
  async function cardsOf({ sessionId, turnId }: TurnRecord): Promise<readonly string[]> {
    const { outcome } = replay((await turnLog.read(turnId, -1)) ?? [])
    if (outcome !== undefined) return outcome.productIds
    const turns = await sessions.recentTurns(sessionId, TURNS_SEARCHED_MAX)
    return turns.find((turn) => turn.turnId === turnId)?.productIds ?? []
  }

  return {
    /**
     * Sets the thumb, or takes it back; a repeat changes nothing. Throws NOT_FOUND, SESSION_BUSY while the turn runs, and
     * INVALID_REQUEST for a reason that is too long.
     */
    async setFeedback(principal: Principal, turnId: string, request: FeedbackRequest): Promise<FeedbackView> {
      const reason = reasonIn(request)
      const { isStored, record } = await find(principal, turnId, request.sessionId)
      const before = record.received.feedback ?? null
      const { value } = request
      if (value === (before?.value ?? null) && (value === null || reason === before?.reason))
        return { turnId, feedback: feedbackView(before) }
      const feedback: Feedback | null =
        value === null ? null : { value, ...(reason === undefined ? {} : { reason }), at: clock.now() }
      if (!isStored) await turnRecords.add([record])
      // False when the conversation was removed meanwhile.
      if (!(await turnRecords.setFeedback(turnId, feedback))) throw notFound()
      telemetry.count('turn_feedback_total', { value: value ?? 'withdrawn' })
      return { turnId, feedback: feedbackView(feedback) }
    },

    /** Counts an opened card; one that the answer does not have is ignored. Throws like `setFeedback`. */
    async cardOpened(principal: Principal, turnId: string, { productId, sessionId }: OpenedRequest): Promise<void> {
      const { isStored, record } = await find(principal, turnId, sessionId)
      const cards = await cardsOf(record)
      const counted = record.received.cardsOpened ?? 0
      const opened = openedHere.get(turnId) ?? { before: counted, ids: new Set() }
      // Another node may have counted cards since, and this one may not remember all that it counted.
      const isFull = Math.max(counted, opened.before + opened.ids.size) >= cards.length
      if (isFull || opened.ids.has(productId) || !cards.includes(productId)) return
      opened.ids.add(productId)
      openedHere.set(turnId, opened)
      if (!isStored) await turnRecords.add([record])
      await turnRecords.note(turnId, { cardsOpened: 1 })
    },
  }
}

export function feedbackView(feedback: Feedback): TurnFeedback
export function feedbackView(feedback: Feedback | null): TurnFeedback | null
export function feedbackView(feedback: Feedback | null): TurnFeedback | null {
  return feedback && { ...feedback, at: isoTime(feedback.at) }
}

/** Its call is not known any more: the figures of its cost and time are zero. */
function recordOfStored(
  turn: StoredTurn,
  of: { readonly principal: Principal; readonly session: Session; readonly position: number },
): TurnRecord {
  const { principal, position, session } = of
  const { at, finishReason, language, tier, turnId } = turn
  return {
    turnId,
    sessionId: session.id,
    principalId: principal.id,
    userTier: principal.tier,
    at,
    language,
    position,
    tier,
    model: 'unknown',
    finishReason,
    isDegraded: false,
    isCached: tier === 'cached',
    attempts: 0,
    inputTokens: 0,
    outputTokens: 0,
    costMicroUsd: 0,
    firstWordMs: null,
    totalMs: 0,
    mismatches: [],
    received: {},
  }
}

function reasonIn({ reason = '', value }: FeedbackRequest): string | undefined {
  const trimmed = reason.trim()
  const limit = FEEDBACK_REASON_MAX
  if ([...trimmed].length > limit)
    throw new Refusal('INVALID_REQUEST', { details: { field: 'reason', reason: 'too-long', limit } })
  return trimmed === '' || value === null ? undefined : trimmed
}

function notFound(): Refusal {
  return new Refusal('NOT_FOUND', { details: { field: 'turnId' } })
}
