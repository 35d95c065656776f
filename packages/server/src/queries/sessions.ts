// A shopper's own conversations. Someone else's do not exist.
import type { SessionDetail, SessionSummary } from '@mangaassist/protocol'
import type { Config } from '#config.ts'
import type { Principal } from '#domain/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/iso-time.ts'
import type { Clock } from '#ports/clock.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store.ts'
import type { SharedState } from '#ports/shared-state.ts'

export interface SessionQueriesParts {
  readonly clock: Clock
  readonly sessions: SessionStore
  readonly state: SharedState
  readonly config: Config
}

/** What a page shows of one conversation; older turns stay in the store. */
const TURNS_SHOWN_MAX = 200

export function createSessionQueries({ clock, sessions, state, config }: SessionQueriesParts) {
  const expired = (session: Session): boolean => clock.now() - session.lastActiveAt > config.sessions.idleExpiryMs

  async function own(principal: Principal, sessionId: string): Promise<Session> {
    const session = await sessions.find(sessionId)
    if (session === undefined || session.principalId !== principal.id) {
      throw new Refusal('NOT_FOUND', { details: { field: 'sessionId' } })
    }
    return session
  }

  return {
    async list(principal: Principal): Promise<readonly SessionSummary[]> {
      const found = await sessions.listOf(principal.id, config.sessions.listMax)
      return found.filter((session) => !expired(session)).map(summary)
    },

    async get(principal: Principal, sessionId: string): Promise<SessionDetail> {
      const session = await own(principal, sessionId)
      if (expired(session)) throw new Refusal('SESSION_EXPIRED')
      const [turns, runningTurnId] = await Promise.all([
        sessions.recentTurns(sessionId, TURNS_SHOWN_MAX),
        state.runningTurn(sessionId),
      ])
      const running =
        runningTurnId === undefined || turns.some((turn) => turn.turnId === runningTurnId) ? {} : { runningTurnId }
      return { ...summary(session), turns: turns.map(shown), ...running }
    },

    async remove(principal: Principal, sessionId: string): Promise<void> {
      await own(principal, sessionId)
      await sessions.remove(sessionId)
    },

    /** Throws NOT_FOUND unless the session is the principal's. */
    async check(principal: Principal, sessionId: string): Promise<void> {
      await own(principal, sessionId)
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

function shown({ productIds, at, ...turn }: StoredTurn): SessionDetail['turns'][number] {
  return { ...turn, products: [...productIds], at: isoTime(at) }
}
