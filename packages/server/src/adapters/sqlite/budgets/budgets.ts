// Budgets, holds and idempotency in SQLite; the short-term rates are in memory, because one process has the file. Each verb
// is one write, so it happens whole or not at all. The reserved amount is not a counter but the sum of the live holds, so
// it cannot drift, and the hold of a dead owner expires by time alone.
import type { Day } from '#domain/budget/day.ts'
import { exceeds, grant, least, NOTHING, raised } from '#domain/budget/quota.ts'
import type { Amounts, Hold, QuotaState, RateScope, TierLimits } from '#domain/budget/quota.ts'
import { RateBook } from '#lib/rates/rate-book.ts'
import type { Clock } from '#ports/clock/port.ts'
import type {
  AdmissionAnswer,
  AdmissionAsk,
  Claimed,
  OwnedId,
  SettleResult,
  SettleTerms,
  Budgets,
  UseToReset,
} from '#ports/budgets/port.ts'
import { BudgetTables, isAlone } from './budget-tables.ts'
import type { Database } from '../files/database.ts'

export interface SqliteBudgetsOptions {
  readonly database: Database
  readonly clock: Clock
}

export function sqliteBudgets({ database, clock }: SqliteBudgetsOptions): Budgets {
  return new SqliteBudgets(database, clock)
}

type Asker = Pick<AdmissionAsk, 'principalId' | 'limits' | 'day'>

class SqliteBudgets implements Budgets {
  readonly #database: Database
  readonly #clock: Clock
  readonly #tables: BudgetTables
  readonly #rates = new RateBook()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
    this.#tables = new BudgetTables(database)
  }

  async admit(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    let takenAt: number | undefined
    try {
      return await this.#database.write(() => {
        const now = this.#clock.now()
        const decided = this.#repeated(ask, now) ?? this.#occupied(ask, now) ?? this.#limited(ask, now)
        if (decided !== undefined) return decided
        const answer = this.#take(ask, now)
        if (answer.kind === 'granted') takenAt = now
        return answer
      })
    } catch (error) {
      // The rates are in memory: the failed transaction did not undo them.
      if (takenAt !== undefined) this.#rates.undo(ask.principalId, takenAt)
      throw error
    }
  }

  /** The file has all of its data or none. */
  admitCompared(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    return this.admit(ask)
  }

  async markCompared(): Promise<void> {}

  async claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>): Promise<Claimed | undefined> {
    return this.#claimed(ask, this.#clock.now())
  }

  async claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): Promise<void> {
    const { id: turnId, principalId, sessionId } = hold
    const { key } = idempotency
    await this.#database.write(() => {
      const now = this.#clock.now()
      if (this.#tables.hold(turnId) === undefined)
        this.#tables.putHold({ ...forgottenHold(hold), key, acceptedAt: now, expiresAt: now }, now)
      if (this.#tables.claim(principalId, key)?.turnId !== turnId)
        this.#tables.putClaim({ turnId, principalId, sessionId, idempotency }, now)
    })
  }

  narrow({ id }: OwnedId, to: Amounts): Promise<boolean> {
    return this.#database.write(() => {
      const row = this.#tables.liveHold(id, this.#clock.now())
      if (row === undefined) return false
      this.#tables.setReserved(id, least(row.reserved, to))
      return true
    })
  }

  extend({ id, sessionId }: Hold, to: Amounts, limits: TierLimits): Promise<boolean> {
    return this.#database.write(() => {
      const now = this.#clock.now()
      const row = this.#tables.liveHold(id, now)
      if (row?.hold.sessionId !== sessionId) return false
      const { principalId, day } = row.hold
      const { used } = this.#tables.dayUse(principalId, day.key)
      const ofDay = { used, reserved: this.#tables.reserved(principalId, day.key, now) }
      const ofSession = { used: this.#tables.sessionUse(sessionId), reserved: row.reserved }
      const reserved = raised({ from: row.reserved, to }, limits, { day: ofDay, session: ofSession })
      if (reserved === undefined) return false
      this.#tables.setReserved(id, reserved)
      return true
    })
  }

  renew({ id }: OwnedId, leaseMs: number): Promise<boolean> {
    return this.#database.write(() => {
      const now = this.#clock.now()
      const row = this.#tables.liveHold(id, now)
      if (row === undefined) return false
      const expiresAt = Math.max(row.expiresAt, now + leaseMs)
      this.#tables.setExpiry(id, expiresAt)
      return true
    })
  }

  settle(hold: Hold, used: Amounts, terms: SettleTerms = {}): Promise<SettleResult> {
    const { claimMs, alarmMicroUsd = Number.POSITIVE_INFINITY } = terms
    return this.#database.write(() => {
      const now = this.#clock.now()
      const row = this.#tables.hold(hold.id)
      if (row?.state === 'settled') return { charged: false, overage: row.overage === true }
      const isHeld = row?.state === 'held' && now < row.expiresAt
      if (isHeld && terms.unlessHeld === true) return { charged: false, overage: false }
      const covered = isHeld ? row.reserved : NOTHING
      const overage = exceeds(used, covered)
      const before = this.#tables.dayUse(hold.principalId, hold.day.key).used.costMicroUsd
      this.#tables.charge(hold, used, now)
      // The hold was swept before its settlement: store it again, so that the turn is charged once.
      if (row === undefined) this.#tables.putHold({ ...forgottenHold(hold), acceptedAt: now, expiresAt: now }, now)
      this.#tables.setState(hold.id, 'settled', overage)
      if (row !== undefined && claimMs !== undefined) this.#tables.endClaim(row, now + claimMs)
      const isAlarm = before <= alarmMicroUsd && before + used.costMicroUsd > alarmMicroUsd
      return { charged: true, overage, ...(isAlarm ? { alarm: true } : {}) }
    })
  }

  reset(use: UseToReset): Promise<Amounts> {
    return this.#database.write(() =>
      'sessionId' in use
        ? this.#tables.resetSession(use.sessionId)
        : this.#tables.resetDay(use.principalId, use.day.key, this.#clock.now()),
    )
  }

  async release({ id }: OwnedId): Promise<void> {
    await this.#database.write(() => {
      const row = this.#tables.hold(id)
      if (row === undefined || row.state === 'settled') return
      this.#tables.dropClaim(row)
      if (row.state !== 'held' || isAlone(row)) return
      this.#tables.setState(id, 'released')
      this.#tables.countMessage(row.hold, -1, this.#clock.now())
      this.#rates.undo(row.hold.principalId, row.acceptedAt)
    })
  }

  async forgetClaim({ id }: OwnedId): Promise<void> {
    await this.#database.write(() => {
      const row = this.#tables.hold(id)
      if (row !== undefined) this.#tables.dropClaim(row)
    })
  }

  async quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState> {
    return this.#quota({ principalId, limits, day }, this.#clock.now())
  }

  async runningTurn({ id }: OwnedId): Promise<string | undefined> {
    return this.#tables.liveHoldOfSession(id, this.#clock.now())
  }

  /** The use of a session is stored under the session, so a new owner needs no transfer of it. */
  async carryOver({ id, inheritedFrom }: OwnedId & { inheritedFrom: string }): Promise<string | undefined> {
    const busyWith = this.#tables.liveHoldOfSession(id, this.#clock.now())
    const principalId = busyWith === undefined ? undefined : this.#tables.hold(busyWith)?.hold.principalId
    return principalId === inheritedFrom ? busyWith : undefined
  }

  #repeated(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    const row = this.#tables.hold(ask.turnId)
    if (row === undefined || row.state === 'released') return undefined
    return { kind: 'granted', hold: row.hold, quota: this.#quotaOfTurn(ask, now) }
  }

  #claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>, now: number): Claimed | undefined {
    const claim = this.#tables.claim(ask.principalId, ask.idempotency.key)
    if (claim === undefined || now >= claim.until) return undefined
    const { fingerprint, sessionId, turnId } = claim
    if (fingerprint !== ask.idempotency.fingerprint) return { kind: 'key-reused' }
    return { kind: 'duplicate', turnId, sessionId }
  }

  #occupied(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    const claimed = this.#claimed(ask, now)
    if (claimed !== undefined) return claimed
    const busyWith = this.#tables.liveHoldOfSession(ask.sessionId, now)
    return busyWith === undefined ? undefined : { kind: 'session-busy', turnId: busyWith }
  }

  #limited(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    const { limits, principalId, day } = ask
    const { refusal } = this.#rates.check(principalId, rateLimits(limits), now)
    const refuse = (scope: RateScope, retryAfterMs: number): AdmissionAnswer => {
      return { kind: 'rate-limited', scope, retryAfterMs, quota: this.#quota(ask, now) }
    }
    if (refusal?.by === 'bucket') return refuse('user-rate', refusal.retryAfterMs)
    if (refusal?.by === 'window') return refuse('requests-per-minute', refusal.retryAfterMs)
    const { messages } = this.#tables.dayUse(principalId, day.key)
    return messages >= limits.messagesPerDay ? refuse('messages-per-day', Math.max(0, day.endsAt - now)) : undefined
  }

  #take(ask: AdmissionAsk, now: number): AdmissionAnswer {
    const { turnId, principalId, sessionId, day, limits } = ask
    const { used } = this.#tables.dayUse(principalId, day.key)
    const ofDay = { used, reserved: this.#tables.reserved(principalId, day.key, now) }
    // A session without a running turn has nothing reserved.
    const ofSession = { used: this.#tables.sessionUse(sessionId), reserved: NOTHING }
    const decision = grant(ask.ask, limits, { day: ofDay, session: ofSession })
    if (decision.kind === 'exceeded') {
      return { kind: 'quota-exceeded', scope: decision.scope, quota: this.#quota(ask, now) }
    }
    const hold: Hold = { id: turnId, principalId, sessionId, day, granted: decision.amounts }
    const expiresAt = now + ask.leaseMs
    const key = ask.idempotency.key
    this.#tables.sweep(now)
    this.#tables.putHold({ hold, reserved: decision.amounts, key, acceptedAt: now, expiresAt, state: 'held' }, now)
    this.#tables.putClaim(ask, now)
    this.#tables.countMessage(hold, 1, now)
    this.#rates.take(principalId, rateLimits(limits), now)
    return { kind: 'granted', hold, quota: this.#quotaOfTurn(ask, now) }
  }

  #quotaOfTurn(ask: AdmissionAsk, now: number): QuotaState {
    const { inputTokens, outputTokens } = this.#tables.sessionUse(ask.sessionId)
    return {
      ...this.#quota(ask, now),
      conversation: { used: { inputTokens, outputTokens }, limit: ask.limits.session },
    }
  }

  #quota({ principalId, limits, day }: Asker, now: number): QuotaState {
    const { usedInWindow, windowResetMs } = this.#rates.check(principalId, rateLimits(limits), now)
    return {
      tier: limits.tier,
      resetsAt: day.endsAt,
      used: this.#tables.dayUse(principalId, day.key).used,
      reserved: this.#tables.reserved(principalId, day.key, now),
      limit: limits.day,
      requestsPerMinute: { used: usedInWindow, limit: limits.requestsPerMinute, resetMs: windowResetMs },
    }
  }
}

const rateLimits = (limits: TierLimits) => ({ bucket: limits.userRate, perMinute: limits.requestsPerMinute })
const forgottenHold = (hold: Hold) => ({ hold, reserved: NOTHING, key: '', state: 'held' }) as const
