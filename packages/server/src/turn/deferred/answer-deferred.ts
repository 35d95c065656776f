// Asks deferred questions again as new turns of their conversations when a model has room, the newest first, because who asked
// just now is more likely to be still there; when that takes too long, the conversation gets a notice instead. One node claims
// each question, no more at a time than there is room for, so that a recovering model is not overloaded. The turn is opened under a key of its question: asked twice, it is one turn.
import type { AnswerTier, ErrorCode } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { DeferredFrom } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredQuestion, DeferredStore } from '#ports/deferred-store/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Received } from '../turn.ts'

export type DeferredAsk = Received & { readonly deferredFrom: DeferredFrom }

export interface AnswerDeferredParts {
  readonly store: DeferredStore
  readonly sessions: Pick<SessionStore, 'find' | 'recentTurns'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'deferred'>
  /** How many questions may be asked now without taking the place of a shopper's. */
  readonly room: () => number
  /** Opens the turn and resolves when it is durable; the turn then runs by itself. Throws a Refusal. */
  readonly ask: (asked: DeferredAsk) => Promise<unknown>
}

export interface AnswerDeferred {
  /** Must be called at intervals; returns how many turns were opened. */
  round(): Promise<number>
}

/** Answer tiers that do not count as an answer of a model. */
const WITHOUT_MODEL: ReadonlySet<AnswerTier> = new Set(['message', 'faq'])
/**
 * A question is dropped this long after its expiry: by then its conversation has expired, even after a long maintenance.
 */
const DROP_AFTER_MS = 86_400_000
/** How many turns are searched for an answer that exists already. */
const TURNS_SEARCHED_MAX = 20

/** Refusals that may not be repeated later, at least for a notice. All other refusals would be repeated. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'SESSION_BUSY',
  'VERSION_CONFLICT',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'QUEUE_FULL',
  'MODEL_TIMEOUT',
  'MAINTENANCE',
  'INTERNAL_ERROR',
])

export function createAnswerDeferred(parts: AnswerDeferredParts): AnswerDeferred {
  const { store, sessions, clock, telemetry, config } = parts
  const { leaseMs, perRound, spacingMs } = config.deferred

  /**
   * The principal who asks: for a guest who has signed in since, that user, in the guest's tier, because no better one is
   * known here.
   */
  async function askerOf({ principal, sessionId }: DeferredQuestion): Promise<Principal> {
    if (principal.kind !== 'guest') return principal
    const session = await sessions.find(sessionId)
    if (session === undefined || session.inheritedFrom !== principal.id) return principal
    return { ...principal, id: session.principalId, kind: 'user' }
  }

  /**
   * Whether the question was answered: by another owner of the promising turn, by a node that died before it could record
   * it, or because it was asked again.
   */
  async function isAnswered({ turnId, sessionId, message, at }: DeferredQuestion): Promise<boolean> {
    const turns = await sessions.recentTurns(sessionId, TURNS_SEARCHED_MAX)
    return turns.some((turn) =>
      turn.turnId === turnId
        ? turn.finishReason !== 'deferred'
        : turn.at > at && turn.question === message && turn.finishReason === 'stop' && !WITHOUT_MODEL.has(turn.tier),
    )
  }

  /** Returns whether a turn was opened. A question that could not be asked now is claimed again when its lease ends. */
  async function take(question: DeferredQuestion, isOver: boolean): Promise<boolean> {
    const { turnId, trace } = question
    const links = trace === undefined ? {} : { links: [trace] }
    const scope = telemetry.scope({ door: 'deferred', name: 'question', requestId: keyOf(question), ...links })
    try {
      if (await isAnswered(question)) {
        await store.done(turnId)
        scope.end('completed', { reason: 'answered' })
        return false
      }
      await parts.ask({ ...askedAgain(question, await askerOf(question), isOver), scope })
      scope.count('deferred_asked_total', { expired: isOver })
      // Where the turn was already there, it has a scope of its own.
      scope.end('completed')
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'INTERNAL_ERROR'
      scope.end(error instanceof Refusal ? 'refused' : 'failed', { code })
      scope.log('warn', 'deferred.ask-failed', { turnId, code }, error)
      if (TRANSIENT.has(code) && clock.now() < question.expiresAt + DROP_AFTER_MS) return false
      await store.done(turnId)
      return false
    }
    await store.done(turnId)
    return true
  }

  async function takeAll(claimed: readonly DeferredQuestion[], isOver: boolean): Promise<number> {
    let opened = 0
    for (const question of claimed) {
      try {
        if (await take(question, isOver)) opened += 1
      } catch (error) {
        // Asked, but still stored: it will be asked again, and its key leads to the same turn.
        telemetry.log('warn', 'deferred.delete-failed', { turnId: question.turnId }, error)
      }
    }
    return opened
  }

  return {
    async round() {
      let opened = 0
      // Notices need no model: all that are due are given in one round, unless none can be given now, as in maintenance.
      for (let isMore = true; isMore;) {
        const over = await store.claim({ limit: perRound, leaseMs, spacingMs, expired: true })
        const given = await takeAll(over, true)
        opened += given
        isMore = over.length === perRound && given > 0
      }
      const limit = Math.min(perRound, parts.room())
      if (limit < 1) return opened
      return opened + (await takeAll(await store.claim({ limit, leaseMs, spacingMs, expired: false }), false))
    },
  }
}

function keyOf({ turnId }: DeferredQuestion): string {
  return `deferred:${turnId}`
}

function askedAgain(question: DeferredQuestion, principal: Principal, isOver: boolean): Omit<DeferredAsk, 'scope'> {
  const { turnId, sessionId, message, language, interfaceLanguage, page, network } = question
  const key = keyOf(question)
  return {
    principal,
    requestId: key,
    route: 'stream',
    message,
    sessionId,
    language,
    ...(interfaceLanguage === undefined ? {} : { interfaceLanguage }),
    ...(page === undefined ? {} : { page }),
    idempotencyKey: key,
    ...(network === undefined || isOver ? {} : { network }),
    deferredFrom: { turnId, isOver },
  }
}
