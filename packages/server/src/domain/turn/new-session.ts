// The session that a question begins. Made by admission, and by settlement when the session store was unavailable then.
import type { TurnStart } from './log-records.ts'

const TITLE_CODE_POINTS = 40

export function newSession(start: TurnStart) {
  const title = [...start.message.replaceAll(/\s+/gu, ' ').trim()].slice(0, TITLE_CODE_POINTS).join('')
  return {
    id: start.sessionId,
    principalId: start.principal.id,
    title,
    createdAt: start.acceptedAt,
    lastActiveAt: start.acceptedAt,
  }
}
