// Puts a turn that is answered into its conversation. A store that is away keeps nobody from the end of an answer for long:
// the turn is then put there in the background. Whose a conversation is that could not be looked up at admission, is now.
import { newSession } from '../new-session.ts'
import type { RetryLater } from '#lib/retry-later.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { Delivered } from '../turn.ts'

export interface AppendTurnParts {
  readonly sessions: SessionStore
  readonly telemetry: Telemetry
  /** Where work waits for a store that is away. */
  readonly later: RetryLater
}

/** A conversation moves on by at most a turn or two between the question and its answer. */
const APPEND_TRIES_MAX = 5

/** Answers the version that the conversation has then; with `mayWait`, the one that it had when that is all that is known. */
export type AppendTurn = (delivered: Delivered, mayWait: boolean) => Promise<number>

export function createAppendTurn({ later, sessions, telemetry }: AppendTurnParts): AppendTurn {
  /** The version to begin with; undefined when there is nothing that this turn may be written to. */
  async function versionOf({ start }: Delivered): Promise<number | undefined> {
    if (start.unsaved === undefined) return start.sessionVersion
    if (start.unsaved === 'new') await sessions.create(newSession(start))
    const session = await sessions.find(start.sessionId)
    return session?.principalId === start.principal.id ? session.version : undefined
  }

  async function append(delivered: Delivered): Promise<number> {
    const { start } = delivered
    let expectedVersion = await versionOf(delivered)
    if (expectedVersion === undefined) return start.sessionVersion
    for (let tries = 0; tries < APPEND_TRIES_MAX; tries += 1) {
      const result = await sessions.append(start.sessionId, expectedVersion, storedTurn(delivered))
      if (result.kind === 'appended') return result.version
      // The shopper deleted the conversation while it was being answered: there is nothing to keep it in.
      if (result.kind === 'gone') return start.sessionVersion
      telemetry.count('session.version-conflict')
      expectedVersion = result.version
    }
    telemetry.log('error', 'session.append-gave-up', { turnId: start.turnId })
    return expectedVersion
  }

  return async function appendTurn(delivered, mayWait) {
    const { start } = delivered
    // A prompt of the caller's own belongs to no conversation.
    if (start.completion !== undefined) return 0
    try {
      return await append(delivered)
    } catch (error) {
      if (!mayWait) throw error
      telemetry.log('warn', 'session.append-waits', { turnId: start.turnId }, error)
      later.add(`append ${start.turnId}`, () => append(delivered))
      return start.sessionVersion
    }
  }
}

function storedTurn({ outcome, start, text }: Delivered): StoredTurn {
  return {
    turnId: start.turnId,
    question: start.message,
    answer: text,
    language: start.language,
    finishReason: outcome.finishReason,
    tier: outcome.tier,
    productIds: outcome.productIds,
    at: outcome.endedAt,
  }
}
