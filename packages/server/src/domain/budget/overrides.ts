// Limits that an operator has changed while the servers run: the figures of a tier, or the tier and the figures of one user,
// with or without an expiry. The configuration stays as it is, and applies again when an override is removed.
import type { Principal } from '../identity/principal.ts'
import { tierLimits } from './tier-limits.ts'
import type { LimitSettings, PrincipalLimits, TierFigures } from './tier-limits.ts'

export interface UserOverride {
  /** Replaces the tier of the user's token. */
  readonly tier?: string
  /** Replaces these figures of the tier. */
  readonly limits?: Partial<TierFigures>
  /** When it expires, in milliseconds since the epoch; absent: it stays until it is removed. */
  readonly expiresAt?: number
}

export interface Overrides {
  readonly tiers: ReadonlyMap<string, Partial<TierFigures>>
  readonly users: ReadonlyMap<string, UserOverride>
}

export const NO_OVERRIDES: Overrides = { tiers: new Map(), users: new Map() }

/** Bounded because every node holds the overrides of all users in memory. */
export const USER_OVERRIDES_MAX = 10_000

export function isLive({ expiresAt }: UserOverride, now: number): boolean {
  return expiresAt === undefined || now < expiresAt
}

interface LimitsInForce {
  readonly overrides: Overrides
  readonly settings: LimitSettings
  readonly now: number
}

/** The limits of a principal. Precedence: its own override, the override of its tier, the configuration. */
export function limitsUnder(
  { overrides, settings, now }: LimitsInForce,
  { id, tier: own }: Pick<Principal, 'id' | 'tier'>,
): PrincipalLimits {
  const found = overrides.users.get(id)
  const user = found !== undefined && isLive(found, now) ? found : undefined
  const tier = user?.tier ?? own
  const ofTier = overrides.tiers.get(tier)
  if (user?.limits === undefined && ofTier === undefined) return tierLimits(settings, tier)
  const configured = settings.tiers[tier] ?? settings.tiers['free']
  if (configured === undefined) throw new Error('the configuration has no tier named free')
  const figures = { ...configured, ...ofTier, ...user?.limits }
  return tierLimits({ ...settings, tiers: { [tier]: figures } }, tier)
}
