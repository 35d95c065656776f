// Rates, budgets, holds and idempotency in memory: for tests and simulations, and the oracle of the other adapters. The
// reserved amount is not a counter but the sum of the live holds, so it cannot drift, and the hold of a dead owner expires
// by time alone.
import { add, exceeds, grant, least, NOTHING, raised } from '#domain/budget/quota.ts'
import type { Amounts, Hold, QuotaState, TierLimits } from '#domain/budget/quota.ts'
import type { Day } from '#domain/budget/day.ts'
import { RateBook } from '#lib/rates/rate-book.ts'
import { sweepFront } from '#lib/collections/sweep-front.ts'
import type { Clock } from '#ports/clock/port.ts'
import type {
  AdmissionAnswer,
  AdmissionAsk,
  Claimed,
  ComparedDay,
  OwnedId,
  SettleResult,
  SettleTerms,
  Budgets,
  UseToReset,
} from '#ports/budgets/port.ts'

/** Counters are stored this long after their day, which covers the end of the day in every time zone. */
const KEEP_MS = 48 * 3_600_000
const SWEEP_MAX = 16

interface DayUse {
  readonly used: Amounts
  readonly messages: number
  readonly forgetAt: number
  /** The epoch in which it was compared with the ledger. */
  readonly comparedIn?: string
}

interface SessionUse {
  readonly used: Amounts
  readonly forgetAt: number
}

interface HoldRow {
  readonly hold: Hold
  readonly key: string
  readonly acceptedAt: number
  readonly reserved: Amounts
  readonly expiresAt: number
  /** `alone`: another node granted the turn, and this store has only its claim; it holds nothing. */
  readonly state: 'held' | 'settled' | 'released' | 'alone'
  readonly overage?: boolean
  readonly forgetAt: number
}

interface Claim {
  readonly fingerprint: string
  readonly turnId: string
  readonly sessionId: string
  readonly until: number
}

export function memoryBudgets({ clock }: { readonly clock: Clock }): Budgets {
  return new MemoryBudgets(clock)
}

const dayKeyOf = (principalId: string, day: Day) => `${day.key} ${principalId}`
const claimKeyOf = (principalId: string, key: string) => JSON.stringify([principalId, key])

class MemoryBudgets implements Budgets {
  readonly #clock: Clock
  readonly #rates = new RateBook()
  readonly #days = new Map<string, DayUse>()
  readonly #sessions = new Map<string, SessionUse>()
  readonly #holds = new Map<string, HoldRow>()
  /** Ids of unsettled holds, so that no call iterates over all holds; expired ones are removed when they are met. */
  readonly #heldByPrincipal = new Map<string, Set<string>>()
  readonly #heldBySession = new Map<string, string>()
  readonly #claims = new Map<string, Claim>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async admit(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const now = this.#clock.now()
    return this.#decided(ask, now) ?? this.#limited(ask, now) ?? this.#take(ask, now)
  }

  async admitCompared(ask: AdmissionAsk, epoch: string): Promise<AdmissionAnswer | undefined> {
    const now = this.#clock.now()
    const decided = this.#decided(ask, now)
    if (decided !== undefined) return decided
    const { comparedIn } = this.#days.get(dayKeyOf(ask.principalId, ask.day)) ?? {}
    return comparedIn === epoch ? (this.#limited(ask, now) ?? this.#take(ask, now)) : undefined
  }

  async markCompared({ day, epoch, messages, principalId }: ComparedDay): Promise<void> {
    const before = this.#days.get(dayKeyOf(principalId, day))
    this.#days.set(dayKeyOf(principalId, day), {
      used: before?.used ?? NOTHING,
      messages: Math.max(before?.messages ?? 0, messages),
      forgetAt: forgetAt(day, this.#clock.now()),
      comparedIn: epoch,
    })
  }

  async claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>): Promise<Claimed | undefined> {
    return this.#claimed(ask, this.#clock.now())
  }

  async claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): Promise<void> {
    const now = this.#clock.now()
    const { id: turnId, principalId, sessionId } = hold
    if (!this.#holds.has(turnId))
      this.#holds.set(turnId, { ...unknownHold(hold, now), key: idempotency.key, state: 'alone' })
    const claim = this.#claims.get(claimKeyOf(principalId, idempotency.key))
    if (claim?.turnId !== turnId) this.#claim({ turnId, principalId, sessionId, idempotency }, now)
  }

  async narrow({ id }: OwnedId, to: Amounts): Promise<boolean> {
    const row = this.#live(id, this.#clock.now())
    if (row === undefined) return false
    this.#holds.set(id, { ...row, reserved: least(row.reserved, to) })
    return true
  }

  async extend({ id, sessionId }: Hold, to: Amounts, limits: TierLimits): Promise<boolean> {
    const now = this.#clock.now()
    const row = this.#live(id, now)
    if (row?.hold.sessionId !== sessionId) return false
    const { principalId, day } = row.hold
    const ofDay = {
      used: this.#days.get(dayKeyOf(principalId, day))?.used ?? NOTHING,
      reserved: this.#reserved(row.hold, now),
    }
    const ofSession = { used: this.#sessions.get(sessionId)?.used ?? NOTHING, reserved: row.reserved }
    const reserved = raised({ from: row.reserved, to }, limits, { day: ofDay, session: ofSession })
    if (reserved === undefined) return false
    this.#holds.set(id, { ...row, reserved })
    return true
  }

  async renew({ id }: OwnedId, leaseMs: number): Promise<boolean> {
    const now = this.#clock.now()
    const row = this.#live(id, now)
    if (row === undefined) return false
    const expiresAt = Math.max(row.expiresAt, now + leaseMs)
    this.#holds.set(id, { ...row, expiresAt })
    return true
  }

  async settle(hold: Hold, used: Amounts, terms: SettleTerms = {}): Promise<SettleResult> {
    const { claimMs, alarmMicroUsd = Number.POSITIVE_INFINITY } = terms
    const now = this.#clock.now()
    const row = this.#holds.get(hold.id)
    if (row?.state === 'settled') return { charged: false, overage: row.overage === true }
    const live = this.#live(hold.id, now)
    if (terms.unlessHeld === true && live !== undefined) return { charged: false, overage: false }
    const covered = live?.reserved ?? NOTHING
    const overage = exceeds(used, covered)
    const before = this.#days.get(dayKeyOf(hold.principalId, hold.day))?.used.costMicroUsd ?? 0
    this.#charge(hold, used, now)
    this.#holds.set(hold.id, { ...(row ?? unknownHold(hold, now)), state: 'settled', overage })
    this.#dropHold(hold)
    if (row !== undefined && claimMs !== undefined)
      this.#changeClaim(row, (claim) => ({ ...claim, until: now + claimMs }))
    const isAlarm = before <= alarmMicroUsd && before + used.costMicroUsd > alarmMicroUsd
    return { charged: true, overage, ...(isAlarm ? { alarm: true } : {}) }
  }

  async reset(use: UseToReset): Promise<Amounts> {
    if ('sessionId' in use) {
      const of = this.#sessions.get(use.sessionId)
      this.#sessions.delete(use.sessionId)
      // The dollars of a session are counted by the day alone.
      return { ...(of?.used ?? NOTHING), costMicroUsd: 0 }
    }
    const now = this.#clock.now()
    const key = dayKeyOf(use.principalId, use.day)
    const of = this.#days.get(key)
    if (of === undefined) return NOTHING
    const held = [...(this.#heldByPrincipal.get(use.principalId) ?? [])].map((id) => this.#live(id, now))
    const messages = held.filter((row) => row?.hold.day.key === use.day.key).length
    this.#days.set(key, { ...of, used: NOTHING, messages })
    return of.used
  }

  async release({ id }: OwnedId): Promise<void> {
    const row = this.#holds.get(id)
    if (row === undefined || row.state === 'settled') return
    this.#changeClaim(row, () => undefined)
    if (row.state !== 'held') return
    const { principalId, day } = row.hold
    this.#holds.set(id, { ...row, state: 'released' })
    this.#dropHold(row.hold)
    this.#rates.undo(principalId, row.acceptedAt)
    const use = this.#days.get(dayKeyOf(principalId, day))
    if (use !== undefined) this.#days.set(dayKeyOf(principalId, day), { ...use, messages: use.messages - 1 })
  }

  async forgetClaim({ id }: OwnedId): Promise<void> {
    const row = this.#holds.get(id)
    if (row !== undefined) this.#changeClaim(row, () => undefined)
  }

  async quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState> {
    return this.#quota({ principalId, limits, day }, this.#clock.now())
  }

  async runningTurn({ id }: OwnedId): Promise<string | undefined> {
    return this.#holdOfSession(id, this.#clock.now())?.hold.id
  }

  /** The use of a session is stored under the session, so a new owner needs no transfer of it. */
  async carryOver({ id, inheritedFrom }: OwnedId & { inheritedFrom: string }): Promise<string | undefined> {
    const busy = this.#holdOfSession(id, this.#clock.now())?.hold
    return busy?.principalId === inheritedFrom ? busy.id : undefined
  }

  #claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>, now: number): Claimed | undefined {
    const claim = this.#claims.get(claimKeyOf(ask.principalId, ask.idempotency.key))
    if (claim === undefined || now >= claim.until) return undefined
    const { fingerprint, sessionId, turnId } = claim
    if (fingerprint !== ask.idempotency.fingerprint) return { kind: 'key-reused' }
    return { kind: 'duplicate', turnId, sessionId }
  }

  /** What an earlier admission decides, whatever the limits are. */
  #decided(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    this.#sweep(now)
    const repeated = this.#holds.get(ask.turnId)
    if (repeated !== undefined && repeated.state !== 'released') {
      return { kind: 'granted', hold: repeated.hold, quota: this.#quotaOfTurn(ask, now) }
    }
    return this.#occupied(ask, now)
  }

  #occupied(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    const claimed = this.#claimed(ask, now)
    if (claimed !== undefined) return claimed
    const busy = this.#holdOfSession(ask.sessionId, now)
    return busy === undefined ? undefined : { kind: 'session-busy', turnId: busy.hold.id }
  }

  #limited(ask: AdmissionAsk, now: number): AdmissionAnswer | undefined {
    const { limits, principalId, day } = ask
    const { refusal } = this.#rates.check(principalId, rateLimits(limits), now)
    const refuse = (scope: 'user-rate' | 'requests-per-minute' | 'messages-per-day', retryAfterMs: number) =>
      ({ kind: 'rate-limited', scope, retryAfterMs, quota: this.#quota(ask, now) }) as const
    if (refusal?.by === 'bucket') return refuse('user-rate', refusal.retryAfterMs)
    if (refusal?.by === 'window') return refuse('requests-per-minute', refusal.retryAfterMs)
    const messages = this.#days.get(dayKeyOf(principalId, day))?.messages ?? 0
    return messages >= limits.messagesPerDay ? refuse('messages-per-day', Math.max(0, day.endsAt - now)) : undefined
  }

  #take(ask: AdmissionAsk, now: number): AdmissionAnswer {
    const { turnId, principalId, sessionId, day, limits } = ask
    const ofDay = {
      used: this.#days.get(dayKeyOf(principalId, day))?.used ?? NOTHING,
      reserved: this.#reserved(ask, now),
    }
    // A session without a running turn has nothing reserved.
    const ofSession = { used: this.#sessions.get(sessionId)?.used ?? NOTHING, reserved: NOTHING }
    const decision = grant(ask.ask, limits, { day: ofDay, session: ofSession })
    if (decision.kind === 'exceeded') {
      return { kind: 'quota-exceeded', scope: decision.scope, quota: this.#quota(ask, now) }
    }
    const hold: Hold = { id: turnId, principalId, sessionId, day, granted: decision.amounts }
    const expiresAt = now + ask.leaseMs
    this.#holds.set(turnId, {
      hold,
      key: ask.idempotency.key,
      acceptedAt: now,
      reserved: decision.amounts,
      expiresAt,
      state: 'held',
      forgetAt: forgetAt(day, now),
    })
    this.#heldBySession.set(sessionId, turnId)
    this.#heldByPrincipal.set(principalId, (this.#heldByPrincipal.get(principalId) ?? new Set()).add(turnId))
    this.#claim(ask, now)
    this.#rates.take(principalId, rateLimits(limits), now)
    this.#addToDay(hold, { used: NOTHING, messages: 1 }, now)
    return { kind: 'granted', hold, quota: this.#quotaOfTurn(ask, now) }
  }

  #claim(ask: Pick<AdmissionAsk, 'turnId' | 'principalId' | 'sessionId' | 'idempotency'>, now: number): void {
    const { key, fingerprint, claimMs } = ask.idempotency
    const claimKey = claimKeyOf(ask.principalId, key)
    const until = now + claimMs
    // Moved to the end of the map, because the sweep starts at its front.
    this.#claims.delete(claimKey)
    this.#claims.set(claimKey, { fingerprint, turnId: ask.turnId, sessionId: ask.sessionId, until })
  }

  #changeClaim(row: HoldRow, change: (claim: Claim) => Claim | undefined): void {
    const claimKey = claimKeyOf(row.hold.principalId, row.key)
    const claim = this.#claims.get(claimKey)
    // After its claim ended, the key may belong to another turn.
    if (claim?.turnId !== row.hold.id) return
    const changed = change(claim)
    if (changed === undefined) this.#claims.delete(claimKey)
    else this.#claims.set(claimKey, changed)
  }

  #charge(hold: Hold, used: Amounts, now: number): void {
    this.#addToDay(hold, { used, messages: 0 }, now)
    const before = this.#sessions.get(hold.sessionId)?.used ?? NOTHING
    this.#sessions.delete(hold.sessionId)
    this.#sessions.set(hold.sessionId, { used: add(before, used), forgetAt: now + KEEP_MS })
  }

  #addToDay({ principalId, day }: Hold, { used, messages }: Pick<DayUse, 'used' | 'messages'>, now: number): void {
    const before = this.#days.get(dayKeyOf(principalId, day))
    this.#days.set(dayKeyOf(principalId, day), {
      ...before,
      used: add(before?.used ?? NOTHING, used),
      messages: (before?.messages ?? 0) + messages,
      forgetAt: forgetAt(day, now),
    })
  }

  #live(holdId: string, now: number): HoldRow | undefined {
    const row = this.#holds.get(holdId)
    return row !== undefined && isLive(row, now) ? row : undefined
  }

  #holdOfSession(sessionId: string, now: number): HoldRow | undefined {
    const holdId = this.#heldBySession.get(sessionId)
    return holdId === undefined ? undefined : this.#live(holdId, now)
  }

  #reserved({ principalId, day }: Pick<AdmissionAsk, 'principalId' | 'day'>, now: number): Amounts {
    let sum = NOTHING
    for (const holdId of this.#heldByPrincipal.get(principalId) ?? []) {
      const row = this.#live(holdId, now)
      if (row === undefined) this.#heldByPrincipal.get(principalId)?.delete(holdId)
      else if (row.hold.day.key === day.key) sum = add(sum, row.reserved)
    }
    return sum
  }

  #dropHold({ id, principalId, sessionId }: Hold): void {
    const own = this.#heldByPrincipal.get(principalId)
    own?.delete(id)
    if (own?.size === 0) this.#heldByPrincipal.delete(principalId)
    if (this.#heldBySession.get(sessionId) === id) this.#heldBySession.delete(sessionId)
  }

  #quotaOfTurn(ask: AdmissionAsk, now: number): QuotaState {
    const { inputTokens, outputTokens } = this.#sessions.get(ask.sessionId)?.used ?? NOTHING
    return {
      ...this.#quota(ask, now),
      conversation: { used: { inputTokens, outputTokens }, limit: ask.limits.session },
    }
  }

  #quota(of: Pick<AdmissionAsk, 'principalId' | 'limits' | 'day'>, now: number): QuotaState {
    const { principalId, limits, day } = of
    const { usedInWindow, windowResetMs } = this.#rates.check(principalId, rateLimits(limits), now)
    return {
      tier: limits.tier,
      resetsAt: day.endsAt,
      used: this.#days.get(dayKeyOf(principalId, day))?.used ?? NOTHING,
      reserved: this.#reserved(of, now),
      limit: limits.day,
      requestsPerMinute: { used: usedInWindow, limit: limits.requestsPerMinute, resetMs: windowResetMs },
    }
  }

  #sweep(now: number): void {
    const isDue = ({ forgetAt }: { readonly forgetAt: number }) => forgetAt <= now
    sweepFront(this.#days, isDue, SWEEP_MAX)
    sweepFront(this.#sessions, isDue, SWEEP_MAX)
    for (const { hold } of sweepFront(this.#holds, isDue, SWEEP_MAX)) this.#dropHold(hold)
    sweepFront(this.#claims, ({ until }) => until + KEEP_MS <= now, SWEEP_MAX)
  }
}

const isLive = (row: HoldRow, now: number) => row.state === 'held' && now < row.expiresAt
const forgetAt = (day: Day, now: number) => Math.max(day.endsAt, now) + KEEP_MS
const rateLimits = (limits: TierLimits) => ({ bucket: limits.userRate, perMinute: limits.requestsPerMinute })

/** The hold was swept before its settlement: store it again, so that the turn is charged once. */
function unknownHold(hold: Hold, now: number): HoldRow {
  const never = { key: '', acceptedAt: now, reserved: NOTHING, expiresAt: now }
  return { hold, ...never, state: 'held', forgetAt: forgetAt(hold.day, now) }
}
