// The conversation so far: its newest turns and the summary of the earlier ones. Without it an answer is poorer, but still
// an answer.
import type { SessionStore, StoredSummary, StoredTurn } from '#ports/session-store/port.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'

export interface History {
  readonly turns: readonly StoredTurn[]
  readonly summary?: StoredSummary
}

/** More than the window of the prompt: a fact stated long before still counts. */
const TURNS_MAX = 40
/** Below this version nothing can have left the window. */
const SUMMARY_VERSION_MIN = 2

export async function readHistory(
  sessions: SessionStore,
  { sessionId, sessionVersion }: Pick<TurnStart, 'sessionId' | 'sessionVersion'>,
  pairsMax: number,
): Promise<History> {
  if (pairsMax === 0) return { turns: [] }
  // Concurrently: two calls, one wait.
  const [recent, session] = await Promise.all([
    sessions.recentTurns(sessionId, Math.max(TURNS_MAX, pairsMax)),
    sessionVersion < SUMMARY_VERSION_MIN ? undefined : sessions.find(sessionId),
  ])
  // A promised answer is not an answer: the question and its answer follow as a turn of their own.
  const turns = recent.filter(({ finishReason }) => finishReason !== 'deferred')
  return { turns, ...(session?.summary === undefined ? {} : { summary: session.summary }) }
}
