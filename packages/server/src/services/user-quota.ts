// The limits of one user today, with the used, reserved and remaining amounts. A user's tier is in their token, not in our stores:
// it is taken from the ledger row of their last answer today, unless the caller gives it.
import type { QuotaView } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { quotaView } from '#domain/budget/quota-view.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Limits } from './principal-limits.ts'

export interface UserQuotaParts {
  readonly clock: Clock
  readonly config: Config
  readonly ledger: Pick<Ledger, 'rows'>
  readonly limits: Pick<Limits, 'of'>
  readonly budgets: Pick<Budgets, 'quota'>
}

export interface UserQuota {
  readonly userId: string
  readonly day: string
  readonly quota: QuotaView
  /** What the next question may still use. */
  readonly left: { readonly input: number; readonly output: number; readonly costMicroUsd: number }
}

export type FindUserQuota = (userId: string, tier?: string) => Promise<UserQuota>

/** For a user without an answer today. */
const TIER_UNKNOWN = 'free'

export function createUserQuota({ clock, config, ledger, limits, budgets: state }: UserQuotaParts): FindUserQuota {
  async function lastTier(principalId: string, day: string): Promise<string> {
    let tier = TIER_UNKNOWN
    for await (const row of ledger.rows({ principalId, day })) tier = row.userTier ?? tier
    return tier
  }

  return async function userQuota(userId, tier) {
    const day = dayOf(clock.now(), config.store.timeZone)
    const of = { id: userId, tier: tier ?? (await lastTier(userId, day.key)) }
    const quota = quotaView(await state.quota(userId, await limits.of(of), day))
    const left = (part: 'input' | 'output' | 'costMicroUsd') =>
      Math.max(0, quota[part].limit - quota[part].used - quota[part].reserved)
    return {
      userId,
      day: day.key,
      quota,
      left: { input: left('input'), output: left('output'), costMicroUsd: left('costMicroUsd') },
    }
  }
}
