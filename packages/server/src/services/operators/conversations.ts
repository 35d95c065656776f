// Conversations of shoppers for operators: which ones a person has, without a word of them; and one of them as it was written, with a reason
// that is in the audit before anything is read.
import type { SessionDetail } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Author } from '../admin.ts'
import type { createSessionQueries } from '../sessions.ts'

export interface ConversationQueriesParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'sessions'>
  readonly sessions: Pick<SessionStore, 'listOf'>
  readonly transcript: ReturnType<typeof createSessionQueries>['transcript']
}

export interface ConversationView extends SessionDetail {
  readonly userId: string
  /** The shopper can no longer continue or read it. */
  readonly expired: boolean
}

/** Without its title, which is the shopper's first question. */
export interface ConversationOutline {
  readonly sessionId: string
  readonly turns: number
  readonly createdAt: string
  readonly lastActiveAt: string
  readonly expired: boolean
}

export interface OutlinesAsked {
  readonly limit: number
  /** The id of the last conversation of the page before. */
  readonly after?: string
}

/** How many conversations of one person can be paged through. */
const PAGED_MAX = 10_000

export function createConversationQueries({ clock, config, sessions, transcript }: ConversationQueriesParts) {
  const isExpired = (lastActiveAt: number) => clock.now() - lastActiveAt > config.sessions.idleExpiryMs

  return {
    /** Throws NOT_FOUND. */
    async conversation(sessionId: string, author: Author): Promise<ConversationView> {
      const { detail, expired, userId } = await transcript(sessionId, author)
      return { ...detail, userId, expired }
    },

    /** Latest activity first; empty for an unknown person. */
    async conversationsOf(userId: string, { after, limit }: OutlinesAsked): Promise<readonly ConversationOutline[]> {
      const all = await sessions.listOf(userId, after === undefined ? limit : PAGED_MAX)
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      if (start === 0 && after !== undefined)
        throw new Refusal('INVALID_REQUEST', {
          details: { field: 'after', reason: 'is not the `next` of a page before' },
        })
      return all.slice(start, start + limit).map(({ createdAt, id, lastActiveAt, version }) => ({
        sessionId: id,
        turns: version,
        createdAt: isoTime(createdAt),
        lastActiveAt: isoTime(lastActiveAt),
        expired: isExpired(lastActiveAt),
      }))
    },
  }
}
