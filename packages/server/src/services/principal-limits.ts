// The limits of a principal now: the configuration plus the overrides of operators. Every node caches all overrides, settings and the states of experiments, and
// polls for changes twice a second, and when limits are requested and the last poll is older than two seconds, so that an admission costs no round
// trip and a change applies everywhere within a second. While the store is unavailable the last known overrides apply.
import type { Config } from '#config/config.ts'
import { limitsUnder, NO_OVERRIDES } from '#domain/budget/overrides.ts'
import { NO_EXPERIMENTS } from '#domain/experiments/experiment-state.ts'
import type { ExperimentStates } from '#domain/experiments/experiment-state.ts'
import type { Overrides } from '#domain/budget/overrides.ts'
import { NO_SETTINGS, settingIn } from '#domain/settings/run-settings.ts'
import type { Settings } from '#domain/settings/run-settings.ts'
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
  /** The states of experiments as of the last poll, without waiting. */
  experiments(): ExperimentStates
  /** The settings as of the last poll, expired ones included. */
  settings(): Settings
  /** Polls for changes. Never rejects: while the store is unavailable the last known values apply. */
  poll(): Promise<void>
  /** Reads the overrides and the states of experiments from the store, not from the cache. */
  latest(): Promise<Overrides & Pick<KnownOverrides, 'experiments'>>
}

/** Up to this age the cached overrides are used without a poll; older ones are used while a poll runs. */
const FRESH_MS = 2000
/** From this age on the caller waits for the poll. */
const STALE_MS = 5000

export function createPrincipalLimits({ admin, clock, config, telemetry }: PrincipalLimitsParts): Limits {
  let known: KnownOverrides | undefined
  let polledAt = Number.NEGATIVE_INFINITY
  let polling: Promise<void> | undefined
  let isFailing = false

  /** The store has lost data: the settings that this node knows are stored again, or an emptied store would end maintenance. */
  async function restore(last: KnownOverrides, found: KnownOverrides): Promise<KnownOverrides> {
    const now = clock.now()
    for (const [name, setting] of last.settings) {
      if (found.settings.has(name) || settingIn(last.settings, name, now) === undefined) continue
      const change = {
        at: now,
        by: setting.by,
        reason: 'the store had lost it',
        action: 'setting-set',
        subject: name,
      } as const
      await admin.setSetting(name, setting, change)
    }
    return (await admin.overrides()) ?? found
  }

  async function read(): Promise<void> {
    const found = await admin.overrides(known?.version)
    if (found === undefined) return
    known = known !== undefined && found.version < known.version ? await restore(known, found) : found
  }

  async function poll(): Promise<void> {
    try {
      await read()
      isFailing = false
    } catch (error) {
      telemetry.count('override_read_failed_total')
      // Once when it begins to fail: it is polled twice a second.
      if (!isFailing) telemetry.log('warn', 'override.read-failed', {}, error)
      isFailing = true
    } finally {
      // Also after a failure: an unavailable store must not be asked with every question.
      polledAt = clock.now()
      polling = undefined
    }
  }

  return {
    async of(principal) {
      const ageMs = clock.now() - polledAt
      if (ageMs >= FRESH_MS) polling ??= poll()
      if (ageMs >= STALE_MS) await polling
      return limitsUnder({ overrides: known ?? NO_OVERRIDES, settings: config, now: clock.now() }, principal)
    },
    experiments: () => known?.experiments ?? NO_EXPERIMENTS,
    settings: () => known?.settings ?? NO_SETTINGS,
    async poll() {
      await (polling ??= poll())
    },
    async latest() {
      await polling
      await read()
      polledAt = clock.now()
      return known ?? { ...NO_OVERRIDES, experiments: NO_EXPERIMENTS }
    },
  }
}
