// The limits of a principal as they are now: the configuration, and over it what operators have changed. Every node knows
// all overrides and looks for new ones as it is asked, at most every two seconds, so that an admission costs no round trip
// and a change counts everywhere within seconds. A store that is away leaves what was known last.
import type { Config } from '#config/config.ts'
import { limitsUnder, NO_OVERRIDES } from '#domain/budget/overrides.ts'
import type { Overrides } from '#domain/budget/overrides.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { PrincipalLimits } from '#domain/budget/tier-limits.ts'
import type { AdminStore, KnownOverrides } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface PrincipalLimitsParts {
  readonly admin: AdminStore
  readonly clock: Clock
  readonly config: Config
  readonly telemetry: Telemetry
}

export interface Limits {
  of(principal: Pick<Principal, 'id' | 'tier'>): Promise<PrincipalLimits>
  /** As they are in the store, whatever was known. */
  latest(): Promise<Overrides>
}

/** Younger knowledge is used as it is; older is used while it is renewed; still older is waited for. */
const FRESH_MS = 2000
const STALE_MS = 5000

export function createPrincipalLimits({ admin, clock, config, telemetry }: PrincipalLimitsParts): Limits {
  let known: KnownOverrides | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      known = (await admin.overrides(known?.version)) ?? known
    } catch (error) {
      telemetry.count('override_read_failed_total')
      telemetry.log('warn', 'override.read-failed', {}, error)
    } finally {
      // Also when it failed: a store that is away is not asked by every question.
      lookedAt = clock.now()
      looking = undefined
    }
  }

  return {
    async of(principal) {
      const ageMs = clock.now() - lookedAt
      if (ageMs >= FRESH_MS) looking ??= look()
      if (ageMs >= STALE_MS) await looking
      return limitsUnder({ overrides: known ?? NO_OVERRIDES, settings: config, now: clock.now() }, principal)
    },
    async latest() {
      await looking
      known = (await admin.overrides(known?.version)) ?? known
      lookedAt = clock.now()
      return known ?? NO_OVERRIDES
    },
  }
}
