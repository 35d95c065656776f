// Puts a turn that is answered into its conversation. A store that is away keeps nobody from the end of an answer for long:
// the turn is then put there in the background, after those of the conversation that wait already and before newer ones. Whose a conversation is that could not be looked up at admission, is now.
import { newSession } from '#domain/turn/new-session.ts'
import type { RetryLater } from '#lib/async/retry-later.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Delivered } from '../turn.ts'

export interface AppendTurnParts {
  readonly sessions: SessionStore
  /** Where work waits for a store that is away. */
  readonly later: RetryLater
}

/** A conversation moves on by at most a turn or two between the question and its answer. */
const APPEND_TRIES_MAX = 5

/** Answers the version that the conversation has then; with `mayWait`, the one that it had when that is all that is known. */
export type AppendTurn = (delivered: Delivered, mayWait: boolean) => Promise<number>

/** Turns that wait, of all conversations. */
const WAITING_MAX = 10_000

export function createAppendTurn({ later, sessions }: AppendTurnParts): AppendTurn {
  const waiting = new WaitingTurns()
  /** What the store did not take at once: others may have been appended before it since. */
  const late = new WeakSet<Delivered>()

  /** The version to begin with; undefined when there is nothing that this turn may be written to. */
  async function versionOf({ start }: Delivered): Promise<number | undefined> {
    if (start.unsaved === undefined) return start.sessionVersion
    if (start.unsaved === 'new') await sessions.create(newSession(start))
    const session = await sessions.find(start.sessionId)
    return session?.principalId === start.principal.id ? session.version : undefined
  }

  async function append(delivered: Delivered): Promise<number> {
    const { start, scope: telemetry } = delivered
    let expectedVersion = await versionOf(delivered)
    if (expectedVersion === undefined) return start.sessionVersion
    // Whoever continued a lost owner's turn comes late, too: the conversation may have moved on meanwhile.
    const isLate = late.has(delivered) || start.unsaved !== undefined || delivered.epoch > 1
    const turn = storedTurn(delivered, isLate)
    for (let tries = 0; tries < APPEND_TRIES_MAX; tries += 1) {
      const result = await sessions.append(start.sessionId, expectedVersion, turn)
      if (result.kind === 'appended') return result.version
      // The shopper deleted the conversation while it was being answered: there is nothing to keep it in.
      if (result.kind === 'gone') return start.sessionVersion
      telemetry.count('session_version_conflict_total')
      expectedVersion = result.version
    }
    telemetry.log('error', 'session.append-conflicted', { turnId: start.turnId })
    return expectedVersion
  }

  /** Those that wait come first: a conversation keeps its order. */
  async function appendInTurn(delivered: Delivered): Promise<number> {
    await waiting.drain(delivered.start.sessionId, append)
    return append(delivered)
  }

  return async function appendTurn(delivered, mayWait) {
    const { start, policy, scope: telemetry } = delivered
    if (!policy.hasSession) return 0
    try {
      return await appendInTurn(delivered)
    } catch (error) {
      late.add(delivered)
      if (!mayWait) throw error
      telemetry.log('warn', 'session.append-postponed', { turnId: start.turnId }, error)
      waiting.add(delivered)
      // One entry for each conversation: whatever waits there is appended together, oldest first.
      later.add(`append to ${start.sessionId}`, () => waiting.drain(start.sessionId, append))
      return start.sessionVersion
    }
  }
}

/** Turns that wait for their store, by conversation, in the order they were asked. */
class WaitingTurns {
  readonly #lines = new Map<string, Delivered[]>()
  /** Of a conversation, one at a time. */
  readonly #draining = new Map<string, Promise<void>>()
  #size = 0

  add(delivered: Delivered): void {
    const { acceptedAt, sessionId } = delivered.start
    const line = this.#lines.get(sessionId) ?? []
    this.#lines.set(sessionId, line)
    if (line.includes(delivered)) return
    const place = line.findLastIndex(({ start }) => start.acceptedAt <= acceptedAt) + 1
    line.splice(place, 0, delivered)
    this.#size += 1
    for (const oldest of this.#size > WAITING_MAX ? this.#lines.keys().take(1) : []) this.#giveUp(oldest)
  }

  /** Appends all that wait; throws what the first that fails throws, and leaves that and the rest waiting. */
  drain(sessionId: string, append: (delivered: Delivered) => Promise<unknown>): Promise<void> {
    if (!this.#lines.has(sessionId)) return Promise.resolve()
    const running = this.#draining.get(sessionId)
    if (running !== undefined) return running
    const draining = this.#drain(sessionId, append).finally(() => this.#draining.delete(sessionId))
    this.#draining.set(sessionId, draining)
    return draining
  }

  async #drain(sessionId: string, append: (delivered: Delivered) => Promise<unknown>): Promise<void> {
    for (;;) {
      const line = this.#lines.get(sessionId)
      const [first] = line ?? []
      if (line === undefined || first === undefined) return void this.#lines.delete(sessionId)
      await append(first)
      const place = line.indexOf(first)
      if (place === -1) continue
      line.splice(place, 1)
      this.#size -= 1
    }
  }

  #giveUp(sessionId: string): void {
    const line = this.#lines.get(sessionId)?.splice(0) ?? []
    this.#lines.delete(sessionId)
    this.#size -= line.length
    for (const { scope, start } of line) scope.log('error', 'session.append-lost', { turnId: start.turnId })
  }
}

function storedTurn({ outcome, start, text }: Delivered, isLate: boolean): StoredTurn {
  return {
    turnId: start.turnId,
    question: start.message,
    answer: text,
    language: start.language,
    finishReason: outcome.finishReason,
    tier: outcome.tier,
    productIds: outcome.productIds,
    at: outcome.endedAt,
    askedAt: start.acceptedAt,
    ...(isLate ? { late: true as const } : {}),
  }
}
