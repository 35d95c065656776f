// The conversation so far: its newest turns and the summary of the earlier ones. Without it an answer is poorer, but still
// an answer.
import type { SessionStore, StoredSummary, StoredTurn } from '#ports/session-store/port.ts'
import { questionWords } from '@mangaassist/bookseller/understanding/question-words'
import { currentTurns, replacedChain } from '#domain/turn/current-turns.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'

export interface History {
  readonly turns: readonly StoredTurn[]
  /** The turn in whose place this one is asked. */
  readonly replaced?: StoredTurn
  /** The products that earlier answers to the same question showed, in whose place this one is asked. */
  readonly seen: readonly string[]
  readonly summary?: StoredSummary
}

/** More than the window of the prompt: a fact stated long before still counts. */
const TURNS_MAX = 40
/** Below this version nothing can have left the window. */
const SUMMARY_VERSION_MIN = 2

type HistoryOf = Pick<TurnStart, 'continued' | 'message' | 'replaces' | 'sessionId' | 'sessionVersion'>

export async function readHistory(
  sessions: SessionStore,
  { continued, message, replaces, sessionId, sessionVersion }: HistoryOf,
  pairsMax: number,
): Promise<History> {
  if (pairsMax === 0) return { turns: [], seen: [] }
  // Concurrently: two calls, one wait.
  const [recent, session] = await Promise.all([
    sessions.recentTurns(sessionId, Math.max(TURNS_MAX, pairsMax)),
    sessionVersion < SUMMARY_VERSION_MIN ? undefined : sessions.find(sessionId),
  ])
  // A promised answer is not an answer: the question and its answer follow as a turn of their own.
  const turns = currentTurns(recent, replaces).filter(({ finishReason }) => finishReason !== 'deferred')
  const [replaced, ...before] = replacedChain(recent, replaces)
  // A continued answer is the same one again: it was made with what the answers before it had shown.
  const answers = continued === undefined && replaced !== undefined ? [replaced, ...before] : before
  const isSame = ({ question }: StoredTurn) => questionWords(question) === questionWords(message)
  return {
    turns,
    seen: answers.filter(isSame).flatMap(({ productIds }) => productIds),
    ...(replaced === undefined ? {} : { replaced }),
    ...(session?.summary === undefined ? {} : { summary: session.summary }),
  }
}
