// Checks holds and charges against its own account: a grant stays within its budget, and a hold is charged at most
// once. It wraps the store itself, behind the network, so it sees every executed verb, whether or not the reply
// arrived.
import { add, exceeds, least, NOTHING } from '@mangaassist/server/domain/budget/quota'
import type { Amounts, Hold, TierLimits } from '@mangaassist/server/domain/budget/quota'
import type { AdmissionAnswer, AdmissionAsk, Budgets } from '@mangaassist/server/ports/budgets/port'
import type { WatchReport } from './watch-report.ts'

export interface HeldAmounts {
  readonly hold: Hold
  reserved: Amounts
  expiresAt: number
  state: 'held' | 'settled' | 'released'
  charged: Amounts
}

const PARTS = ['inputTokens', 'outputTokens', 'costMicroUsd'] as const
/** Expiry of a hold that the store charged but had not granted. */
const NEVER_HELD = 0
const dayOf = ({ day, principalId }: Pick<Hold, 'day' | 'principalId'>) => `${day.key} ${principalId}`

export class MoneyWatch {
  readonly holds = new Map<string, HeldAmounts>()
  readonly usedOfDay = new Map<string, Amounts>()
  /**
   * Hold ids of turns that were released before they were settled, including those that a standalone node had granted.
   */
  readonly undone = new Set<string>()
  readonly #usedOfSession = new Map<string, Amounts>()
  readonly #report: WatchReport

  constructor(report: WatchReport) {
    this.#report = report
  }

  /** Whether the store granted the hold, not a standalone node. */
  wasGranted(holdId: string): boolean {
    return (this.holds.get(holdId)?.expiresAt ?? NEVER_HELD) > NEVER_HELD
  }

  /** What lost owners of the turn charged for calls that its log does not have. */
  chargedBeside(holdId: string): readonly Amounts[] {
    return [...this.holds].flatMap(([id, { charged }]) => (id.startsWith(`${holdId}:`) ? [charged] : []))
  }

  /** Holds that have neither ended nor expired. */
  live(): readonly HeldAmounts[] {
    return [...this.holds.values()].filter((held) => this.#isLive(held))
  }

  over(budgets: Budgets): Budgets {
    const answered = (ask: AdmissionAsk, answer: AdmissionAnswer) => {
      if (answer.kind === 'granted') this.#granted(answer.hold, ask)
      else this.#report.see(`admission ${answer.kind}`)
      return answer
    }
    return {
      ...bound(budgets),
      admit: async (ask) => answered(ask, await budgets.admit(ask)),
      admitCompared: async (ask, epoch) => {
        const answer = await budgets.admitCompared(ask, epoch)
        return answer === undefined ? undefined : answered(ask, answer)
      },
      narrow: async (hold, to) => {
        const isDone = await budgets.narrow(hold, to)
        const held = this.holds.get(hold.id)
        if (isDone && held !== undefined) held.reserved = least(held.reserved, to)
        return isDone
      },
      extend: async (hold, to, limits) => {
        const isDone = await budgets.extend(hold, to, limits)
        if (isDone) this.#extended(hold, to, limits)
        return isDone
      },
      renew: async (hold, leaseMs) => {
        const isDone = await budgets.renew(hold, leaseMs)
        const held = this.holds.get(hold.id)
        if (isDone && held !== undefined) held.expiresAt = Math.max(held.expiresAt, this.#report.now() + leaseMs)
        return isDone
      },
      settle: async (hold, used, terms) => {
        const result = await budgets.settle(hold, used, terms)
        // A charge from the ledger that found nothing to do says nothing about the turn.
        if (result.charged || terms?.unlessHeld !== true) this.#settled(hold, used, result)
        return result
      },
      release: async (hold) => {
        await budgets.release(hold)
        this.#report.trace(`release ${hold.id}`)
        const held = this.holds.get(hold.id)
        if (held?.state !== 'settled') this.undone.add(hold.id)
        if (held?.state === 'held') held.state = 'released'
      },
    }
  }

  #granted(hold: Hold, { leaseMs, limits }: AdmissionAsk): void {
    const before = this.holds.get(hold.id)
    if (before !== undefined && before.state !== 'released') return this.#report.see('admission repeated')
    this.#report.trace(`grant ${hold.id} ${hold.granted.outputTokens}`)
    const expiresAt = this.#report.now() + leaseMs
    this.holds.set(hold.id, { hold, reserved: hold.granted, expiresAt, state: 'held', charged: NOTHING })
    this.#checkBudget(hold, hold.granted, limits)
  }

  #extended(hold: Hold, to: Amounts, limits: TierLimits): void {
    const held = this.holds.get(hold.id)
    if (held === undefined) return
    const grown = { ...held.reserved }
    for (const part of PARTS) grown[part] = Math.max(grown[part], to[part])
    const added = { ...grown }
    for (const part of PARTS) added[part] -= held.reserved[part]
    held.reserved = grown
    this.#report.see('hold extended')
    this.#checkBudget(hold, added, limits)
  }

  /** Each part that grew must be within its limit. */
  #checkBudget(hold: Hold, added: Amounts, limits: TierLimits): void {
    let ofDay = this.usedOfDay.get(dayOf(hold)) ?? NOTHING
    let ofSession = this.#usedOfSession.get(hold.sessionId) ?? NOTHING
    for (const held of this.holds.values()) {
      if (!this.#isLive(held)) continue
      if (dayOf(held.hold) === dayOf(hold)) ofDay = add(ofDay, held.reserved)
      if (held.hold.sessionId === hold.sessionId) ofSession = add(ofSession, held.reserved)
    }
    for (const part of PARTS) {
      if (added[part] <= 0) continue
      if (ofDay[part] > limits.day[part]) {
        this.#report.breach(
          'more was granted than the budget of the day',
          `${hold.id}: ${ofDay[part]} of ${limits.day[part]}`,
        )
      }
      const ofSessionMax = part === 'costMicroUsd' ? Number.POSITIVE_INFINITY : limits.session[part]
      if (ofSession[part] > ofSessionMax) {
        this.#report.breach(
          'more was granted than the budget of the session',
          `${hold.id}: ${ofSession[part]} of ${ofSessionMax}`,
        )
      }
    }
  }

  #settled(hold: Hold, used: Amounts, { charged, overage }: { readonly charged: boolean; readonly overage: boolean }) {
    const { breach, see, trace } = this.#report
    const held = this.holds.get(hold.id)
    trace(`settle ${hold.id} ${used.outputTokens} ${charged}`)
    if (!charged) {
      if (held?.state !== 'settled') breach('a hold was not charged', hold.id)
      else see('settlement repeated')
      if (held?.state === 'settled' && !isSame(held.charged, used)) {
        breach(
          'two owners settled different amounts',
          `${hold.id}: ${formatAmounts(held.charged)} and ${formatAmounts(used)}`,
        )
      }
      return
    }
    if (held?.state === 'settled') breach('a hold was charged twice', hold.id)
    const covered = held !== undefined && this.#isLive(held) ? held.reserved : NOTHING
    if (overage !== exceeds(used, covered)) breach('an overage was not reported', `${hold.id}: ${formatAmounts(used)}`)
    if (overage) see('overage')
    if (held === undefined) see('charged what another had granted')
    else if (held.state === 'released') see('charged after its release')
    else if (held.state === 'held' && !this.#isLive(held)) see('settled after its hold had expired')
    const row = held ?? { hold, reserved: NOTHING, expiresAt: NEVER_HELD }
    this.holds.set(hold.id, Object.assign(row, { state: 'settled' as const, charged: used }))
    this.usedOfDay.set(dayOf(hold), add(this.usedOfDay.get(dayOf(hold)) ?? NOTHING, used))
    this.#usedOfSession.set(hold.sessionId, add(this.#usedOfSession.get(hold.sessionId) ?? NOTHING, used))
  }

  #isLive({ expiresAt, state }: HeldAmounts): boolean {
    return state === 'held' && this.#report.now() < expiresAt
  }
}

/** A store may be a class instance with its verbs on the prototype, which a spread would miss. */
function bound(budgets: Budgets): Budgets {
  return {
    admit: (ask) => budgets.admit(ask),
    admitCompared: (ask, epoch) => budgets.admitCompared(ask, epoch),
    markCompared: (compared) => budgets.markCompared(compared),
    claimed: (ask) => budgets.claimed(ask),
    claim: (hold, idempotency) => budgets.claim(hold, idempotency),
    narrow: (hold, to) => budgets.narrow(hold, to),
    extend: (hold, to, limits) => budgets.extend(hold, to, limits),
    renew: (hold, leaseMs) => budgets.renew(hold, leaseMs),
    settle: (hold, used, terms) => budgets.settle(hold, used, terms),
    reset: (use) => budgets.reset(use),
    release: (hold) => budgets.release(hold),
    forgetClaim: (hold) => budgets.forgetClaim(hold),
    quota: (principalId, limits, day) => budgets.quota(principalId, limits, day),
    runningTurn: (session) => budgets.runningTurn(session),
    carryOver: (session) => budgets.carryOver(session),
  }
}

export function isSame(a: Amounts, b: Amounts): boolean {
  return PARTS.every((part) => a[part] === b[part])
}

export function formatAmounts({ costMicroUsd, inputTokens, outputTokens }: Amounts): string {
  return `${inputTokens} in, ${outputTokens} out, ${costMicroUsd} µ$`
}
