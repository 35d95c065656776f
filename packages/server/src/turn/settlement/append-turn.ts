// Appends an answered turn to its conversation. An unavailable store does not delay the end of an answer for long: the turn
// is then appended in the background, after earlier waiting turns of the conversation and before newer ones. If the owner
// of the conversation could not be checked at admission, it is checked here.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { newSession } from '#domain/turn/new-session.ts'
import type { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Delivered } from '../turn.ts'

export interface AppendTurnParts {
  readonly clock: Pick<Clock, 'now'>
  readonly sessions: SessionStore
  /** Holds work until an unavailable store answers again. */
  readonly later: RetryLater
}

/**
 * A conversation gets at most a turn or two between a question and its answer, but several nodes at once may append what waited
 * through an outage. Each conflict is another turn that was appended.
 */
const APPEND_TRIES_MAX = 20

interface Appended {
  /** The version after the append, or the last known one. */
  readonly version: number
  /** The append happens later, from the memory of this process. */
  readonly isPostponed: boolean
}

/** Without `mayWait` it throws instead of postponing the append. */
export type AppendTurn = (delivered: Delivered, mayWait: boolean) => Promise<Appended>

/**
 * So long a turn waits for a conversation that is not there: its first turn was asked on another node in the same outage, and that
 * node has not written it yet.
 */
const FIRST_TURN_MS_MAX = 60_000

/** Limit of waiting turns over all conversations. */
const WAITING_MAX = 10_000

export function createAppendTurn({ clock, later, sessions }: AppendTurnParts): AppendTurn {
  const waiting = new WaitingTurns()
  /** Turns that the store did not accept at once: others may have been appended before them since. */
  const late = new WeakSet<Delivered>()

  /** The version to append at; undefined when this turn may not be written to the session. */
  async function versionOf({ outcome, start }: Delivered): Promise<number | undefined> {
    if (start.unsaved === undefined) return start.sessionVersion
    if (start.unsaved === 'new') await sessions.create(newSession(start))
    const session = await sessions.find(start.sessionId)
    if (session === undefined && clock.now() < outcome.endedAt + FIRST_TURN_MS_MAX)
      throw new StoreUnavailable('the conversation is not there yet', { mayHaveHappened: false })
    return session?.principalId === start.principal.id ? session.version : undefined
  }

  async function append(delivered: Delivered): Promise<number> {
    const { start, scope: telemetry } = delivered
    let expectedVersion = await versionOf(delivered)
    if (expectedVersion === undefined) return start.sessionVersion
    // A takeover appends late too: the conversation may have continued meanwhile.
    const isLate = late.has(delivered) || start.unsaved !== undefined || delivered.epoch > 1
    const turn = storedTurn(delivered, isLate)
    for (let tries = 0; tries < APPEND_TRIES_MAX; tries += 1) {
      const result = await sessions.append(start.sessionId, expectedVersion, turn)
      if (result.kind === 'appended') return result.version
      // The shopper deleted the conversation during the answer: there is nothing to append to.
      if (result.kind === 'gone') return start.sessionVersion
      telemetry.count('session_version_conflict_total')
      expectedVersion = result.version
    }
    telemetry.log('error', 'session.append-conflicted', { turnId: start.turnId })
    return expectedVersion
  }

  /** Waiting turns come first: a conversation keeps its order. */
  async function appendInTurn(delivered: Delivered): Promise<number> {
    await waiting.drain(delivered.start.sessionId, append)
    return append(delivered)
  }

  return async function appendTurn(delivered, mayWait) {
    const { start, policy, scope: telemetry } = delivered
    if (!policy.hasSession) return { version: 0, isPostponed: false }
    try {
      return { version: await appendInTurn(delivered), isPostponed: false }
    } catch (error) {
      late.add(delivered)
      if (!mayWait) throw error
      telemetry.log('warn', 'session.append-postponed', { turnId: start.turnId }, error)
      waiting.add(delivered)
      // One entry per conversation: its waiting turns are appended together, oldest first.
      later.add(`append to ${start.sessionId}`, () => waiting.drain(start.sessionId, append))
      return { version: start.sessionVersion, isPostponed: true }
    }
  }
}

/** Turns that wait for their store, by conversation, in the order of their questions. */
class WaitingTurns {
  readonly #lines = new Map<string, Delivered[]>()
  /** One drain per conversation at a time. */
  readonly #draining = new Map<string, Promise<void>>()
  #size = 0

  add(delivered: Delivered): void {
    const { acceptedAt, sessionId } = delivered.start
    const line = this.#lines.get(sessionId) ?? []
    this.#lines.set(sessionId, line)
    if (line.includes(delivered)) return
    const index = line.findLastIndex(({ start }) => start.acceptedAt <= acceptedAt) + 1
    line.splice(index, 0, delivered)
    this.#size += 1
    for (const oldest of this.#size > WAITING_MAX ? this.#lines.keys().take(1) : []) this.#giveUp(oldest)
  }

  /** Appends all waiting turns; throws the first failure and leaves that turn and the rest waiting. */
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
      const index = line.indexOf(first)
      if (index === -1) continue
      line.splice(index, 1)
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
    language: outcome.language ?? start.language,
    finishReason: outcome.finishReason,
    tier: outcome.tier,
    productIds: outcome.productIds,
    ...(outcome.suggestions === undefined ? {} : { suggestions: outcome.suggestions }),
    ...(outcome.sources === undefined ? {} : { sources: outcome.sources }),
    ...(outcome.contact === undefined ? {} : { contact: outcome.contact }),
    ...(start.page === undefined ? {} : { page: start.page }),
    ...(start.interfaceLanguage === undefined ? {} : { interfaceLanguage: start.interfaceLanguage }),
    ...(start.replaces === undefined ? {} : { replaces: start.replaces }),
    ...(start.continued === undefined ? {} : { continues: true as const }),
    at: outcome.endedAt,
    askedAt: start.acceptedAt,
    ...(isLate ? { late: true as const } : {}),
  }
}
