// All that is stored of one person, guest or member: to hand it out, and to erase it. Erasing stops what runs first, says what
// it removed and what stays, and is no new budget: the day's counters stay until they expire. What was adopted from a guest is
// the member's.
import type { Config } from '#config/config.ts'
import type { LedgerGroup, LedgerRow } from '#domain/ledger/ledger-row.ts'
import { isErased, isPseudonym, newPseudonym } from '#domain/identity/pseudonym.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { SampleStore } from '#ports/sample-store/port.ts'
import type { Session, SessionStore } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'

export interface PersonQueriesParts {
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly deferred: DeferredStore
  readonly answers: AnswerCache
  readonly ledger: Ledger
  readonly config: Config
  /** Raw responses of models on this node; absent where none are stored. */
  readonly samples?: Pick<SampleStore, 'turns' | 'forget'>
  /** Overwrites what the files still hold of deleted rows; absent where nothing is in files. */
  readonly scrub?: () => Promise<void>
}

export interface Erased {
  readonly conversations: number
  readonly turnLogs: number
  readonly deferredQuestions: number
  readonly cachedAnswers: number
  /** Of raw responses on this node; the others remove theirs within the hour. */
  readonly samples: number
  /** Rows of the books that have a pseudonym now; their figures stay. */
  readonly ledgerRowsRenamed: number
  /** Answers that had not ended in time: erase again to remove what they leave. */
  readonly stillRunning: number
  /** What is kept, and why. */
  readonly kept: readonly string[]
}

const DAY_MS = 86_400_000
const NAMES_PER_PAGE = 1000
const NAME_PAGES_MAX = 50
const CONVERSATIONS_MAX = 10_000
const LEDGER_ROWS_MAX = 50_000
const STOP_MS = 10_000
const POLL_MS = 100
/** Of turns that the books are asked about at once. */
const SAMPLES_AT_ONCE = 32
const KEPT = [
  'counters of today’s budget, under a pseudonym, until two days after the day: erasing is no new budget',
  'figures of the ledger, under a pseudonym',
  'what operators changed for this user, and the audit of it',
]

export function createPersonQueries(parts: PersonQueriesParts) {
  const { clock, config, deferred, ledger, sessions, budgets: state, turnLog } = parts

  const pseudonymOf = (principalId: string) => newPseudonym(principalId, parts.random.id('p').slice(2))

  /** Whether its running answer has ended in time, or there is none. */
  async function stopped(session: Session): Promise<boolean> {
    const running = await state.runningTurn(session)
    if (running === undefined) return true
    await turnLog.requestStop(running)
    for (let waitedMs = 0; waitedMs < STOP_MS; waitedMs += POLL_MS) {
      if ((await state.runningTurn(session)) === undefined) return true
      await clock.sleep(POLL_MS)
    }
    return false
  }

  async function removeConversation(principalId: string, session: Session): Promise<number> {
    await sessions.remove(session.id)
    const ids = await turnLog.forgetSession(session.id)
    const askers = [principalId, ...(session.inheritedFrom === undefined ? [] : [session.inheritedFrom])]
    for (const id of ids) await Promise.all(askers.map((asker) => state.forgetClaim({ id, principalId: asker })))
    return ids.length
  }

  /** Prompts of one's own and removed conversations have logs too: the books know where. */
  async function forgetRecentLogs(principalId: string): Promise<number> {
    const from = isoTime(clock.now() - config.turns.keepMs - 2 * DAY_MS).slice(0, 10)
    const found = new Set<string>()
    for await (const { sessionId } of ledger.rows({ principalId, from })) {
      found.add(sessionId)
      if (found.size === LEDGER_ROWS_MAX) break
    }
    let forgotten = 0
    for (const sessionId of found) {
      // A conversation that a member has taken over since is the member's.
      const session = await sessions.find(sessionId)
      if (session !== undefined && session.principalId !== principalId) continue
      forgotten += (await turnLog.forgetSession(sessionId)).length
    }
    return forgotten
  }

  /** Whether what a turn left is of nobody any more: of an erased person, or of a turn that the books have forgotten. */
  async function isOfNobody({ turnId, at }: { readonly turnId: string; readonly at: number }): Promise<boolean> {
    const rows = await ledger.ofTurn(turnId)
    if (rows.length === 0) return clock.now() - at > DAY_MS
    return rows.every(({ principalId }) => isErased(principalId))
  }

  /** By the books, so that every node removes its own, whichever of them was asked to erase somebody. */
  async function forgetSamples(): Promise<number> {
    const found = (await parts.samples?.turns()) ?? []
    const gone = new Set<string>()
    for (let from = 0; from < found.length; from += SAMPLES_AT_ONCE) {
      const some = found.slice(from, from + SAMPLES_AT_ONCE)
      const ofNobody = await Promise.all(some.map(isOfNobody))
      for (const [index, { turnId }] of some.entries()) if (ofNobody[index] === true) gone.add(turnId)
    }
    return gone.size === 0 ? 0 : ((await parts.samples?.forget(gone)) ?? 0)
  }

  return {
    /** Removes samples of turns whose person was erased, here or on another node; answers how many. */
    forgetSamples,

    /** As JSON; times are ISO 8601. */
    async exportPerson(principalId: string) {
      const found = await sessions.listOf(principalId, CONVERSATIONS_MAX)
      const conversations = await Promise.all(
        found.map(async (session) => ({
          ...session,
          createdAt: isoTime(session.createdAt),
          lastActiveAt: isoTime(session.lastActiveAt),
          turns: (await sessions.recentTurns(session.id, session.version)).map((turn) => ({
            ...turn,
            at: isoTime(turn.at),
          })),
        })),
      )
      const rows: LedgerRow[] = []
      for await (const row of ledger.rows({ principalId })) if (rows.push(row) === LEDGER_ROWS_MAX) break
      return {
        userId: principalId,
        exportedAt: isoTime(clock.now()),
        conversations,
        deferredQuestions: [...(await deferred.ofPrincipal(principalId))],
        ledger: rows.map((row) => ({ ...row, at: isoTime(row.at) })),
        /** Whether there was more than one export holds. */
        isCut: found.length === CONVERSATIONS_MAX || rows.length === LEDGER_ROWS_MAX,
      }
    },

    async erasePerson(principalId: string): Promise<Erased> {
      // First, or what was promised is answered into a new conversation.
      const questions = await deferred.ofPrincipal(principalId)
      for (const { turnId } of questions) await deferred.done(turnId)
      const found = await sessions.listOf(principalId, CONVERSATIONS_MAX)
      const ends = await Promise.all(found.map(stopped))
      let turnLogs = 0
      for (const session of found) turnLogs += await removeConversation(principalId, session)
      turnLogs += await forgetRecentLogs(principalId)
      const cachedAnswers = await parts.answers.forgetOf(principalId)
      const ledgerRowsRenamed = await ledger.rename({ principalId }, pseudonymOf(principalId))
      const samples = await forgetSamples()
      if (found.length + turnLogs + questions.length + cachedAnswers + ledgerRowsRenamed > 0) await parts.scrub?.()
      return {
        conversations: found.length,
        turnLogs,
        deferredQuestions: questions.length,
        cachedAnswers,
        samples,
        ledgerRowsRenamed,
        stillRunning: ends.filter((isOver) => !isOver).length,
        kept: KEPT,
      }
    },

    /** Gives the rows of the books that are older than `retention.ledgerNamesDays` pseudonyms; answers how many. */
    async forgetNames(): Promise<number> {
      const days = config.retention.ledgerNamesDays
      if (days === 0) return 0
      const to = isoTime(clock.now() - days * DAY_MS).slice(0, 10)
      let [renamed, after]: [number, readonly string[] | undefined] = [0, undefined]
      for (let pages = 0; pages < NAME_PAGES_MAX; pages += 1) {
        const asked = { by: ['user'] as const, limit: NAMES_PER_PAGE, ...(after === undefined ? {} : { after }) }
        const found: readonly LedgerGroup[] = await ledger.groups({ to }, asked)
        for (const { key } of found) {
          const [principalId = ''] = key
          if (!isPseudonym(principalId)) renamed += await ledger.rename({ principalId, to }, pseudonymOf(principalId))
        }
        if (found.length < NAMES_PER_PAGE) break
        after = found.at(-1)?.key
      }
      return renamed
    },
  }
}
