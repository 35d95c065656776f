// Admits from the shared budgets only when the principal's day was compared with the ledger since the store last lost data. While the
// ledger is unavailable it is not known what such a day has used, so only the allowance is granted from it.
import { grant, least, NOTHING } from '#domain/budget/quota.ts'
import type { Hold, TierLimits } from '#domain/budget/quota.ts'
import { SHOP } from '#domain/identity/principal.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { AdmissionAnswer, AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Allowance } from './allowance.ts'
import type { CompareDay } from './lost-day.ts'

export interface ComparedAdmissionOptions {
  readonly shared: Budgets
  readonly telemetry: Telemetry
  readonly allowance: Allowance
  readonly compareDay: CompareDay
  readonly epoch: () => Promise<string>
}

const TURNS_MAX = 20_000
/** The Retry-After for a user whose allowance is spent. */
const RETRY_AFTER_MS = 5000

export class ComparedAdmission {
  readonly #options: ComparedAdmissionOptions
  /** The turns that were granted from the allowance. */
  readonly #doubtful = new BoundedMap<string, true>(TURNS_MAX)

  constructor(options: ComparedAdmissionOptions) {
    this.#options = options
  }

  /** Rejects with StoreUnavailable when the budgets are unavailable, whatever the ledger is. */
  async admit(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const { compareDay, shared } = this.#options
    // The ledger has no rows of a shared account, and those of the shop include calls that no account is charged for.
    if (ask.users !== undefined || ask.principalId === SHOP) return shared.admit(ask)
    const epoch = await this.#options.epoch()
    const first = await shared.admitCompared(ask, epoch)
    if (first !== undefined) return first
    const isCompared = await compareDay(ask, epoch)
    const second = isCompared ? await shared.admitCompared(ask, epoch) : undefined
    return second ?? this.#admitInDoubt(ask)
  }

  /** The limits within which a turn may be extended. */
  limitsOf({ id }: Hold, limits: TierLimits): TierLimits {
    return this.#doubtful.get(id) === undefined ? limits : this.#reduced(limits)
  }

  async #admitInDoubt(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    const { shared, telemetry } = this.#options
    const answer = await shared.admit({ ...ask, limits: this.#reduced(ask.limits) })
    if (answer.kind === 'granted') {
      telemetry.count('budget_uncompared_granted_total')
      this.#doubtful.set(answer.hold.id, true)
    }
    if (!('quota' in answer)) return answer
    const quota = { ...answer.quota, limit: ask.limits.day }
    if (answer.kind !== 'quota-exceeded') return { ...answer, quota }
    const known = grant(ask.ask, ask.limits, { day: quota, session: { used: NOTHING, reserved: NOTHING } })
    if (known.kind === 'exceeded' || answer.scope.startsWith('session')) return { ...answer, quota }
    telemetry.count('budget_allowance_exhausted_total', { scope: 'user' })
    return { kind: 'unavailable', retryAfterMs: RETRY_AFTER_MS }
  }

  #reduced(limits: TierLimits): TierLimits {
    return { ...limits, day: least(limits.day, this.#options.allowance.perUser) }
  }
}
