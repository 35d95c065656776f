// Conversations in memory: for tests and simulations, and the oracle of the other adapters.
import { inOrderAsked } from '#domain/turn/turn-order.ts'
import type { Clock } from '#ports/clock/port.ts'
import { ADOPTED_MAX } from '#ports/session-store/port.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'

interface Conversation {
  readonly session: Session
  readonly turns: readonly StoredTurn[]
}

export function memorySessionStore({ clock }: { readonly clock: Clock }): SessionStore {
  const conversations = new Map<string, Conversation>()

  const listOf = (principalId: string, limit: number): readonly Session[] => {
    const own = [...conversations.values()]
      .map(({ session }) => session)
      .filter((one) => one.principalId === principalId)
    return own.sort((a, b) => b.lastActiveAt - a.lastActiveAt || (a.id < b.id ? -1 : 1)).slice(0, limit)
  }

  return {
    async create(session) {
      if (!conversations.has(session.id))
        conversations.set(session.id, { session: { ...session, version: 0 }, turns: [] })
    },
    async find(sessionId) {
      return conversations.get(sessionId)?.session
    },
    async recentTurns(sessionId, limit) {
      return limit <= 0 ? [] : inOrderAsked(conversations.get(sessionId)?.turns.slice(-limit) ?? [])
    },
    async append(sessionId, expectedVersion, turn) {
      const conversation = conversations.get(sessionId)
      if (conversation === undefined) return { kind: 'gone' }
      const { session, turns } = conversation
      const index = turns.findIndex(({ turnId }) => turnId === turn.turnId)
      if (index !== -1) return { kind: 'appended', version: index + 1 }
      if (session.version !== expectedVersion) return { kind: 'conflict', version: session.version }
      const version = session.version + 1
      const lastActiveAt = Math.max(session.lastActiveAt, clock.now())
      conversations.set(sessionId, { session: { ...session, version, lastActiveAt }, turns: [...turns, turn] })
      return { kind: 'appended', version }
    },
    async summarise(sessionId, upTo, text) {
      const conversation = conversations.get(sessionId)
      if (conversation === undefined) return false
      const { session, turns } = conversation
      if (upTo > session.version || upTo <= (session.summary?.upTo ?? 0)) return false
      conversations.set(sessionId, { session: { ...session, summary: { text, upTo, at: clock.now() } }, turns })
      return true
    },
    async listOf(principalId, limit) {
      return listOf(principalId, limit)
    },
    async remove(sessionId) {
      conversations.delete(sessionId)
    },
    async adopt(guestId, userId) {
      for (const session of listOf(guestId, ADOPTED_MAX)) {
        const turns = conversations.get(session.id)?.turns ?? []
        conversations.set(session.id, { session: { ...session, principalId: userId, inheritedFrom: guestId }, turns })
      }
    },
    async sweep(idleBefore, limit) {
      const idle = [...conversations.values()]
        .filter(({ session }) => session.lastActiveAt < idleBefore)
        .slice(0, limit)
      for (const { session } of idle) conversations.delete(session.id)
      return idle.length
    },
  }
}
