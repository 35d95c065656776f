// Budgets whose store may be unavailable. While the store answers, it decides. Otherwise the node is standalone: it grants its share
// of the rates, and money from a small allowance per user and per node; past that it refuses. Usage is charged once when the store
// answers again; the ledger has it in any case. A standalone node never grants a question that may be a repeat, because another node
// may be answering it, and writes the idempotency keys of its grants to the store before anything else.
import type { Day } from '#domain/budget/day.ts'
import { add, grant, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts, Hold, QuotaState, TierLimits } from '#domain/budget/quota.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
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
import type { Telemetry } from '#ports/telemetry/port.ts'
import { allowed, nodeAsk, onNode } from './allowance.ts'
import type { Allowance } from './allowance.ts'
import { ComparedAdmission } from './compared-admission.ts'
import type { CompareDay } from './lost-day.ts'
import { SeenDays } from './seen-days.ts'
import { TurnsHere } from './turns-here.ts'
import { WaitingWork } from './waiting-work.ts'

export interface ResilientBudgetsOptions {
  /** The shared budgets. While their store is unavailable, every call fails soon. */
  readonly shared: Budgets
  /** Budgets in this process, for grants while the node is standalone. */
  readonly local: Budgets
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly allowance: Allowance
  /** When a call of any kind to the store last failed on this node; 0 for never. */
  readonly troubledAt: () => number
  /** The longest that a call to the store may take. */
  readonly callMs: number
  /** Compares a day with the ledger, and charges again what the store has lost. */
  readonly compareDay: CompareDay
  /** The epoch of the store's data, which changes when it has lost some. Rejects with StoreUnavailable. */
  readonly epoch: () => Promise<string>
}

export interface ResilientBudgets extends Budgets, AsyncDisposable {
  /** How many charges wait to be written to the store. */
  readonly waiting: number
}

/** The Retry-After for a user whose allowance is spent. */
const RETRY_AFTER_MS = 5000
/** After the store failed, other nodes may have granted standalone: repeats wait this long for their claims to be written. */
const CLAIMS_FIRST_MS = 6000
/**
 * In units of `callMs`: a standalone node grants only questions that arrived at most this long ago, and a repeat is granted only
 * after a longer wait. So a slow node cannot grant a question after another node has granted its repeat.
 */
const STANDALONE_WITHIN_CALLS = 20
const REPEAT_AFTER_CALLS = 30
/** The Retry-After for a question whose idempotency key cannot be checked. */
const REPEAT_RETRY_MS = 250

export function resilientBudgets(options: ResilientBudgetsOptions): ResilientBudgets {
  return new Resilient(options)
}

class Resilient implements ResilientBudgets {
  readonly #options: ResilientBudgetsOptions
  readonly #here: TurnsHere
  readonly #days = new SeenDays()
  readonly #compared: ComparedAdmission
  readonly #later: WaitingWork
  readonly #startedAt: number
  #missedAt = 0
  #isAlone = false

  constructor(options: ResilientBudgetsOptions) {
    this.#options = options
    this.#here = new TurnsHere(options.clock)
    this.#startedAt = options.clock.now()
    this.#compared = new ComparedAdmission(options)
    this.#later = new WaitingWork(options)
  }

  get waiting(): number {
    return this.#later.charges
  }

  async admit(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    // The store does not know the turns that this node granted standalone.
    const here = this.#here.occupied(ask, 'local')
    if (here !== undefined) return here
    const hold = { ...ask, id: ask.turnId }
    const wasToBeReleased = this.#later.cancelRelease(hold)
    const answer = await (ask.repeat === undefined ? this.#admitFirst(ask) : this.#admitRepeat(ask))
    if (wasToBeReleased && answer.kind !== 'granted') this.#later.release(hold)
    return answer
  }

  /** The epoch is this decorator's own matter. */
  admitCompared(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    return this.admit(ask)
  }

  markCompared(compared: ComparedDay): Promise<void> {
    return this.#options.shared.markCompared(compared)
  }

  async claimed(ask: Pick<AdmissionAsk, 'principalId' | 'idempotency'>): Promise<Claimed | undefined> {
    return this.#here.claimed(ask, 'local') ?? (await this.#options.shared.claimed(ask))
  }

  claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): Promise<void> {
    return this.#options.shared.claim(hold, idempotency)
  }

  async narrow(hold: OwnedId, to: Amounts): Promise<boolean> {
    const { local, shared } = this.#options
    if (this.#here.isLocal(hold.id)) {
      if (this.#here.isSpending(hold.id)) await local.narrow(onNode(hold), to)
      return local.narrow(hold, to)
    }
    // A hold that is not narrowed stays as it was granted, which is enough.
    return this.#orAs(hold, () => shared.narrow(hold, to))
  }

  async extend(hold: Hold, to: Amounts, limits: TierLimits): Promise<boolean> {
    const { allowance, local, shared } = this.#options
    if (!this.#here.isLocal(hold.id)) {
      const within = this.#compared.limitsOf(hold, limits)
      const isExtended = await this.#orUnavailable(() => shared.extend(hold, to, within))
      // Without the store the rest of the budget is unknown.
      return isExtended instanceof StoreUnavailable ? false : isExtended
    }
    const { limits: ofUser } = allowed(allowance, { limits }, this.#days.seen(hold.principalId))
    const isSpending = this.#here.isSpending(hold.id)
    if (isSpending && !(await local.extend(onNode(hold), to, nodeAsk(allowance, { limits }).limits))) return false
    return local.extend(hold, to, ofUser)
  }

  async renew(hold: OwnedId, leaseMs: number): Promise<boolean> {
    const { local, shared } = this.#options
    this.#here.renewed(hold.id, leaseMs)
    if (this.#here.isLocal(hold.id)) {
      if (this.#here.isSpending(hold.id)) await local.renew(onNode(hold), leaseMs)
      return local.renew(hold, leaseMs)
    }
    return this.#orAs(hold, () => shared.renew(hold, leaseMs))
  }

  async settle(hold: Hold, used: Amounts, terms: SettleTerms = {}): Promise<SettleResult> {
    const { claimMs } = terms
    const { local, shared } = this.#options
    const isLocal = this.#here.isLocal(hold.id)
    // May be repeated by the caller: a hold is charged once.
    const own = isLocal ? await local.settle(hold, used, { claimMs }) : undefined
    if (this.#here.isSpending(hold.id)) await local.settle(onNode(hold), used)
    this.#here.ended(hold.id, claimMs)
    const charge = () => shared.settle(hold, used, terms)
    const settled = await this.#orUnavailable(charge)
    if (!(settled instanceof StoreUnavailable))
      return own === undefined ? settled : { ...settled, overage: own.overage }
    this.#later.charge(hold, async () => this.#reportAlarm(hold, await charge()))
    return { charged: true, overage: own?.overage ?? false }
  }

  async release(hold: OwnedId): Promise<void> {
    const { local, shared } = this.#options
    if (this.#here.isLocal(hold.id)) {
      if (this.#here.isSpending(hold.id)) await local.release(onNode(hold))
      await local.release(hold)
      this.#here.forget(hold.id)
      this.#later.releaseClaimed(hold)
      return
    }
    this.#here.forget(hold.id)
    const released = await this.#orUnavailable(() => shared.release(hold))
    if (released instanceof StoreUnavailable) this.#later.release(hold)
  }

  async forgetClaim(hold: OwnedId): Promise<void> {
    const { local, shared } = this.#options
    const isLocal = this.#here.isLocal(hold.id)
    this.#here.forgetClaim(hold.id)
    if (isLocal) await local.forgetClaim(hold)
    const forgotten = await this.#orUnavailable(() => shared.forgetClaim(hold))
    // The claim of a turn that was granted standalone may still wait to be written.
    if (isLocal || forgotten instanceof StoreUnavailable) this.#later.forgetClaim(hold)
  }

  reset(use: UseToReset): Promise<Amounts> {
    return this.#options.shared.reset(use)
  }

  async quota(principalId: string, limits: TierLimits, day: Day): Promise<QuotaState> {
    const quota = await this.#orUnavailable(() => this.#options.shared.quota(principalId, limits, day))
    if (quota instanceof StoreUnavailable) return this.#guess({ principalId, limits, day })
    this.#days.see(principalId, quota)
    return quota
  }

  async runningTurn(session: Parameters<Budgets['runningTurn']>[0]): Promise<string | undefined> {
    const here = this.#here.runningTurn(session.id, 'local')
    if (here !== undefined) return here
    const there = await this.#orUnavailable(() => this.#options.shared.runningTurn(session))
    return there instanceof StoreUnavailable ? this.#here.runningTurn(session.id, 'any') : there
  }

  async carryOver(session: OwnedId & { readonly inheritedFrom: string }): Promise<string | undefined> {
    const busyWith = await this.#orUnavailable(() => this.#options.shared.carryOver(session))
    // While the usage of a conversation is unknown, the allowance bounds it.
    return busyWith instanceof StoreUnavailable ? undefined : busyWith
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#later[Symbol.asyncDispose]()
  }

  async #admitFirst(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const isKnownUnavailable = this.#isAlone
    const first = await this.#admitShared(ask)
    if (!(first instanceof StoreUnavailable)) return first
    // One unanswered call proves little: the store is asked once more before the node becomes standalone.
    const last = isKnownUnavailable ? first : await this.#admitShared(ask)
    if (!(last instanceof StoreUnavailable)) return last
    const own = await this.#admitStandalone(ask)
    const mayBeHeld = first.mayHaveHappened || last.mayHaveHappened
    if (own.kind !== 'granted' && mayBeHeld) this.#later.release({ ...ask, id: ask.turnId })
    return own
  }

  async #admitShared(ask: AdmissionAsk): Promise<AdmissionAnswer | StoreUnavailable> {
    const answer = await this.#orUnavailable(() => this.#compared.admit(ask))
    if (answer instanceof StoreUnavailable) return answer
    if ('quota' in answer) this.#days.see(ask.principalId, answer.quota)
    if (answer.kind !== 'granted') return answer
    // A double tap that found the store unavailable may have been granted standalone while this call was in flight.
    const meanwhile = this.#here.occupied(ask, 'local')
    if (meanwhile !== undefined) {
      await this.release(answer.hold)
      return meanwhile
    }
    this.#here.add(answer.hold, ask, 'shared')
    return answer
  }

  /** Admits a possible repeat: only the store decides, and only after every standalone node had time to write its claims. */
  async #admitRepeat(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const { callMs, clock, shared, telemetry } = this.#options
    const wait = (): AdmissionAnswer => {
      telemetry.count('budget_repeat_postponed_total')
      return { kind: 'unavailable', retryAfterMs: REPEAT_RETRY_MS }
    }
    const known = await this.#orUnavailable(() => shared.claimed(ask))
    if (known instanceof StoreUnavailable) return this.#here.occupied(ask, 'any') ?? wait()
    if (known !== undefined) return known
    if (this.#mayLackClaims(ask)) return wait()
    if (ask.repeat === 'certain') await clock.sleep(REPEAT_AFTER_CALLS * callMs)
    if (this.#mayLackClaims(ask)) return wait()
    const asked = await this.#admitShared(ask)
    if (!(asked instanceof StoreUnavailable)) return asked
    if (asked.mayHaveHappened) this.#later.release({ ...ask, id: ask.turnId })
    return wait()
  }

  /** Whether another node may have granted the same question standalone without having written its claim yet. */
  #mayLackClaims({ repeat }: AdmissionAsk): boolean {
    const now = this.#options.clock.now()
    const troubledAt = Math.max(this.#missedAt, this.#options.troubledAt())
    // A process that has just started does not know whether the store failed before.
    const sinceAt = repeat === 'certain' ? Math.max(troubledAt, this.#startedAt) : troubledAt
    return now - sinceAt < CLAIMS_FIRST_MS
  }

  async #admitStandalone(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const { allowance, callMs, clock, local, telemetry } = this.#options
    const here = this.#here.occupied(ask, 'any')
    if (here !== undefined) return here
    if (clock.now() - (ask.arrivedAt ?? clock.now()) > STANDALONE_WITHIN_CALLS * callMs) {
      telemetry.count('budget_standalone_timeout_total')
      return { kind: 'unavailable', retryAfterMs: REPEAT_RETRY_MS }
    }
    const seen = this.#days.seenOn(ask)
    const own = await local.admit(allowed(allowance, ask, seen))
    if (own.kind === 'rate-limited') return { ...own, quota: await this.#guess(ask) }
    if (own.kind === 'quota-exceeded') return this.#nothingLeft(ask, seen)
    if (own.kind !== 'granted') return own
    if (ask.users === undefined && !(await this.#takeOfNode(ask, own.hold))) {
      await local.release(own.hold)
      return this.#unavailable('node')
    }
    const meanwhile = this.#here.occupied(ask, 'any')
    if (meanwhile !== undefined) {
      if (ask.users === undefined) await local.release(onNode(own.hold))
      await local.release(own.hold)
      return meanwhile
    }
    this.#here.add(own.hold, ask, 'local')
    // A shared account adds no spending of its own, and no client repeats its keys.
    if (ask.users === undefined) {
      telemetry.count('budget_standalone_granted_total')
      this.#later.claim(own.hold, ask.idempotency)
    }
    return { ...own, quota: await this.#guess(ask) }
  }

  /** Takes from the allowance that all users of the node share: it bounds what an outage can cost. */
  async #takeOfNode(ask: AdmissionAsk, { granted }: Hold): Promise<boolean> {
    const { allowance, local } = this.#options
    const answer = await local.admit(nodeAsk(allowance, { ...ask, ask: granted }))
    if (answer.kind !== 'granted') return false
    if (answer.hold.granted.costMicroUsd === granted.costMicroUsd) return true
    await local.release(answer.hold)
    return false
  }

  async #nothingLeft(ask: AdmissionAsk, seen: QuotaState | undefined): Promise<AdmissionAnswer> {
    const day = { used: seen?.used ?? NOTHING, reserved: NOTHING }
    const known = grant(ask.ask, ask.limits, { day, session: { used: NOTHING, reserved: NOTHING } })
    if (known.kind === 'granted') return this.#unavailable('user')
    return { kind: 'quota-exceeded', scope: known.scope, quota: await this.#guess(ask) }
  }

  #unavailable(whose: 'user' | 'node'): AdmissionAnswer {
    this.#options.telemetry.count('budget_allowance_exhausted_total', { scope: whose })
    return { kind: 'unavailable', retryAfterMs: RETRY_AFTER_MS }
  }

  /** The quota that the store last reported, plus what was used and is held on this node since. */
  async #guess({
    principalId,
    limits,
    day,
  }: Pick<AdmissionAsk, 'principalId' | 'limits' | 'day'>): Promise<QuotaState> {
    const own = await this.#options.local.quota(principalId, limits, day)
    const seen = this.#days.seenOn({ principalId, day })
    return seen === undefined
      ? own
      : { ...own, used: add(seen.used, own.used), reserved: add(seen.reserved, own.reserved) }
  }

  /** Reports the alarm here, because the caller of `settle` got its answer before the charge was made. */
  #reportAlarm({ day, id }: Hold, { alarm }: SettleResult): void {
    if (alarm !== true) return
    this.#options.telemetry.count('alarm_user_spend_total')
    this.#options.telemetry.log('warn', 'alarm.user-spend', { turnId: id, day: day.key })
  }

  /** While the store is unavailable a hold of this node counts as held; a hold of another node is unknown, so the error is thrown. */
  async #orAs(hold: OwnedId, call: () => Promise<boolean>): Promise<boolean> {
    const answer = await this.#orUnavailable(call)
    if (!(answer instanceof StoreUnavailable)) return answer
    if (this.#here.has(hold.id)) return true
    throw answer
  }

  async #orUnavailable<Answer>(call: () => Promise<Answer>): Promise<Answer | StoreUnavailable> {
    const answer = await orUnavailable(call)
    if (answer instanceof StoreUnavailable) this.#missed(answer)
    else this.#answered()
    return answer
  }

  #answered(): void {
    if (!this.#isAlone) return
    this.#isAlone = false
    this.#options.telemetry.log('warn', 'budget.standalone-ended', { waiting: this.waiting })
    void this.#later.catchUp()
  }

  #missed(error: StoreUnavailable): void {
    this.#options.telemetry.count('budget_store_unavailable_total')
    this.#missedAt = this.#options.clock.now()
    if (this.#isAlone) return
    this.#isAlone = true
    this.#options.telemetry.log('warn', 'budget.standalone-began', {}, error)
  }
}
