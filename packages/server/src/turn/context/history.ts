// The conversation so far, newest pairs only. Without it the answer is poorer but still an answer.
import type { SessionStore, StoredTurn } from '#ports/session-store.ts'

export function readHistory(
  sessions: SessionStore,
  sessionId: string,
  pairsMax: number,
): Promise<readonly StoredTurn[]> {
  return pairsMax === 0 ? Promise.resolve([]) : sessions.recentTurns(sessionId, pairsMax)
}
