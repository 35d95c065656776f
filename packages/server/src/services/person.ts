// Export and erasure of everything that is stored about one person, a guest or a user. An erasure stops running answers first and
// reports what it removed and what stays. It does not renew the budget: the day's counters stay until they expire. Sessions that a
// user adopted as a guest belong to the user.
import type { Config } from '#config/config.ts'
import type { LedgerRow, RowPosition } from '#domain/ledger/ledger-row.ts'
import { isErased, isPseudonym, newPseudonym } from '#domain/identity/pseudonym.ts'
import { eachOf } from '#lib/async/each-of.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { orderView } from './commerce/orders.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Carts } from '#stores/carts.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { HandoverRequests } from '#stores/handover-requests.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { ORDERS_MAX } from '#stores/order-book.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { SampleStore } from '#ports/sample-store/port.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import { isRefusal } from '#domain/turn-records/records-filter.ts'
import type { RefusalRecord } from '#domain/turn-records/refusal-record.ts'
import type { RecordPosition, TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'

export interface PersonQueriesParts {
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly deferred: DeferredStore
  readonly answers: AnswerCache
  readonly carts: Carts
  readonly orders: OrderBook
  readonly ledger: Ledger
  readonly handovers: Pick<HandoverRequests, 'forget' | 'ofPrincipal'>
  readonly turnRecords: Pick<TurnRecords, 'all' | 'forget' | 'list'>
  readonly config: Config
  /** Samples of models' raw responses on this node; absent if none are stored. */
  readonly samples?: Pick<SampleStore, 'turns' | 'forget'>
  /** Overwrites the remains of deleted rows in the files; absent if nothing is stored in files. */
  readonly scrub?: () => Promise<void>
}

export interface Erased {
  readonly conversations: number
  readonly turnLogs: number
  readonly deferredQuestions: number
  readonly cachedAnswers: number
  /** Requests for a person; absent in the reply of an older server. */
  readonly handovers?: number
  /** Records of turns, with thumbs and the arms of experiments. */
  readonly turnRecords: number
  readonly cartItems: number
  readonly orders: number
  /** Samples of raw responses on this node; other nodes remove theirs within the hour. */
  readonly samples: number
  /** Rows of the ledger that have a pseudonym now; their figures stay. */
  readonly ledgerRowsRenamed: number
  /** Answers that did not end in time: erase again to remove their texts. */
  readonly stillRunning: number
  /** What stays stored, and why. */
  readonly kept: readonly string[]
}

const DAY_MS = 86_400_000
const ROWS_PER_PAGE = 1000
/** A round reads so many; the next one continues. */
const NAME_PAGES_MAX = 5000
const CONVERSATIONS_MAX = 10_000
/** Bounded: reading all at once would be so slow that the store counts as unavailable. */
const CONVERSATIONS_AT_ONCE = 16
const LEDGER_ROWS_MAX = 50_000
const RECORDS_MAX = 50_000
const REFUSALS_MAX = 10_000
const REFUSALS_PER_PAGE = 500
const STOP_MS = 10_000
const POLL_MS = 100
/** How many turns are looked up in the ledger in parallel. */
const SAMPLES_AT_ONCE = 32
const KEPT = [
  'counters of today’s budget, under a pseudonym, until two days after the day: an erasure does not renew the budget',
  'figures of the ledger, under a pseudonym',
  'limits that operators changed for this user, and the audit of these changes',
]

export function createPersonQueries(parts: PersonQueriesParts) {
  const { clock, config, deferred, handovers, ledger, sessions, budgets: state, turnLog, turnRecords } = parts

  /** The last row up to which the ledger has no names. */
  let nameless: RowPosition | undefined

  const pseudonymOf = (principalId: string) => newPseudonym(principalId, parts.random.id('p').slice(2))

  /** Stops the session's running answer; returns whether it ended in time, or true if there is none. */
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

  /** Deletes the logs of the person's own prompts and of removed conversations, which are found by the ledger. */
  async function forgetRecentLogs(principalId: string): Promise<number> {
    const from = isoTime(clock.now() - config.turns.keepMs - 2 * DAY_MS).slice(0, 10)
    const found = new Set<string>()
    for await (const { sessionId } of ledger.rows({ principalId, from })) {
      found.add(sessionId)
      if (found.size === LEDGER_ROWS_MAX) break
    }
    let forgotten = 0
    for (const sessionId of found) {
      // A conversation that a user has adopted since belongs to the user.
      const session = await sessions.find(sessionId)
      if (session !== undefined && session.principalId !== principalId) continue
      forgotten += (await turnLog.forgetSession(sessionId)).length
    }
    return forgotten
  }

  /** Whether a sample belongs to no known person: its person was erased, or the ledger does not have its turn. */
  async function isOrphaned({ turnId, at }: { readonly turnId: string; readonly at: number }): Promise<boolean> {
    const rows = await ledger.ofTurn(turnId)
    if (rows.length === 0) return clock.now() - at > DAY_MS
    return rows.every(({ principalId }) => isErased(principalId))
  }

  /** Decides by the ledger, so that a node removes its own samples, and the leader shared ones, whichever node made the erasure. */
  async function forgetSamples(): Promise<number> {
    const found = (await parts.samples?.turns()) ?? []
    const gone = new Set<string>()
    for (let from = 0; from < found.length; from += SAMPLES_AT_ONCE) {
      const some = found.slice(from, from + SAMPLES_AT_ONCE)
      const orphaned = await Promise.all(some.map(isOrphaned))
      for (const [index, { turnId }] of some.entries()) if (orphaned[index] === true) gone.add(turnId)
    }
    return gone.size === 0 ? 0 : ((await parts.samples?.forget(gone)) ?? 0)
  }

  async function refusalsOf(principalId: string): Promise<readonly RefusalRecord[]> {
    const found: RefusalRecord[] = []
    let after: RecordPosition | undefined
    do {
      const page = await turnRecords.list({ principalId, kind: 'refusal' }, REFUSALS_PER_PAGE, after)
      found.push(...page.records.filter(isRefusal))
      after = page.next
    } while (after !== undefined && found.length < REFUSALS_MAX)
    return found.slice(0, REFUSALS_MAX)
  }

  return {
    /** Removes samples of turns whose person was erased on any node; returns how many. */
    forgetSamples,

    /** Returns a JSON value; times are ISO 8601. */
    async exportPerson(principalId: string) {
      const found = await sessions.listOf(principalId, CONVERSATIONS_MAX)
      const turns = new Map<string, readonly StoredTurn[]>()
      await eachOf(found, CONVERSATIONS_AT_ONCE, async ({ id, version }) =>
        turns.set(id, await sessions.recentTurns(id, version)),
      )
      const conversations = found.map((session) => ({
        ...session,
        createdAt: isoTime(session.createdAt),
        lastActiveAt: isoTime(session.lastActiveAt),
        turns: (turns.get(session.id) ?? []).map((turn) => ({ ...turn, at: isoTime(turn.at) })),
      }))
      const rows: LedgerRow[] = []
      for await (const row of ledger.rows({ principalId })) if (rows.push(row) === LEDGER_ROWS_MAX) break
      const records: TurnRecord[] = []
      for await (const record of turnRecords.all({ principalId })) if (records.push(record) === RECORDS_MAX) break
      const refusals = await refusalsOf(principalId)
      return {
        userId: principalId,
        exportedAt: isoTime(clock.now()),
        conversations,
        deferredQuestions: [...(await deferred.ofPrincipal(principalId))],
        cart: [...(await parts.carts.read(principalId)).lines],
        orders: (await parts.orders.list(principalId, ORDERS_MAX)).map((order) => orderView(order, clock.now())),
        handovers: (await handovers.ofPrincipal(principalId)).map((request) => ({
          ...request,
          at: isoTime(request.at),
        })),
        ledger: rows.map((row) => ({ ...row, at: isoTime(row.at) })),
        turnRecords: records.map((record) => ({ ...record, at: isoTime(record.at) })),
        refusals: refusals.map((one) => ({ ...one, at: isoTime(one.at), since: isoTime(one.since) })),
        /** Whether there was more than an export may hold. */
        isCut:
          found.length === CONVERSATIONS_MAX ||
          rows.length === LEDGER_ROWS_MAX ||
          records.length === RECORDS_MAX ||
          refusals.length === REFUSALS_MAX,
      }
    },

    async erasePerson(principalId: string): Promise<Erased> {
      // First, or a deferred question would be answered into a new conversation.
      const questions = await deferred.ofPrincipal(principalId)
      for (const { turnId } of questions) await deferred.done(turnId)
      const found = await sessions.listOf(principalId, CONVERSATIONS_MAX)
      const ends = await Promise.all(found.map(stopped))
      let turnLogs = 0
      for (const session of found) turnLogs += await removeConversation(principalId, session)
      await sessions.removeExpired?.(principalId)
      turnLogs += await forgetRecentLogs(principalId)
      let records = 0
      // By conversation too: a turn that still runs, or that another node records late, leaves nothing.
      for (const { id } of found) records += await turnRecords.forget({ sessionId: id })
      records += await turnRecords.forget({ principalId })
      const handedOver = await handovers.forget({ principalId })
      const cachedAnswers = await parts.answers.forgetOf(principalId)
      const cartItems = await parts.carts.forget(principalId)
      const orders = await parts.orders.forget(principalId)
      const ledgerRowsRenamed = await ledger.rename({ principalId }, pseudonymOf(principalId))
      const samples = await forgetSamples()
      const texts = [found.length, turnLogs, questions.length, cachedAnswers, handedOver]
      const removed = [...texts, records, cartItems, orders]
      if (removed.some((count) => count > 0) || ledgerRowsRenamed > 0) await parts.scrub?.()
      return {
        conversations: found.length,
        turnLogs,
        deferredQuestions: questions.length,
        cachedAnswers,
        handovers: handedOver,
        turnRecords: records,
        cartItems,
        orders,
        samples,
        ledgerRowsRenamed,
        stillRunning: ends.filter((isOver) => !isOver).length,
        kept: KEPT,
      }
    },

    /**
     * Replaces user ids by pseudonyms in ledger rows older than `retention.ledgerNamesDays`; returns how many rows. Each row is looked
     * at once by a process: days that are over get no further rows.
     */
    async forgetNames(): Promise<number> {
      const days = config.retention.ledgerNamesDays
      if (days === 0) return 0
      const to = isoTime(clock.now() - days * DAY_MS).slice(0, 10)
      let renamed = 0
      for (let pages = 0; pages < NAME_PAGES_MAX; pages += 1) {
        const from = nameless === undefined ? {} : { from: nameless.day }
        const rows = await ledger.page({ ...from, to }, ROWS_PER_PAGE, nameless)
        for (const principalId of new Set(rows.map((row) => row.principalId)))
          if (!isPseudonym(principalId)) renamed += await ledger.rename({ principalId, to }, pseudonymOf(principalId))
        nameless = rows.at(-1) ?? nameless
        if (rows.length < ROWS_PER_PAGE) break
      }
      return renamed
    },
  }
}
