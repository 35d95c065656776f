// Overrides and their audit in memory: for tests and simulations.
import { isLive, USER_OVERRIDES_MAX } from '#domain/budget/overrides.ts'
import type { ExperimentState } from '#domain/experiments/experiment-state.ts'
import type { UserOverride } from '#domain/budget/overrides.ts'
import { SETTINGS_MAX } from '#domain/settings/run-settings.ts'
import type { Setting } from '#domain/settings/run-settings.ts'
import type { TierFigures } from '#domain/budget/tier-limits.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'

export function memoryAdminStore({ usersMax = USER_OVERRIDES_MAX, settingsMax = SETTINGS_MAX } = {}): AdminStore {
  const tiers = new Map<string, Partial<TierFigures>>()
  const users = new Map<string, UserOverride>()
  const experiments = new Map<string, ExperimentState>()
  const settings = new Map<string, Setting>()
  let experimentKey: string | undefined
  const entries: AuditEntry[] = []

  function note(entry: Omit<AuditEntry, 'number'>): AuditEntry {
    const numbered = { number: entries.length + 1, ...entry }
    entries.push(numbered)
    return numbered
  }

  function put<Value>(into: Map<string, Value>, key: string, value: Value | undefined) {
    const before = into.get(key) ?? null
    if (value === undefined) into.delete(key)
    else into.set(key, value)
    return { subject: key, before, after: value ?? null }
  }

  /** Expired entries make room. */
  function hasRoom(
    into: Map<string, { readonly expiresAt?: number }>,
    key: string,
    { max, now }: { readonly max: number; readonly now: number },
  ): boolean {
    if (into.has(key) || into.size < max) return true
    for (const [id, other] of into) if (!isLive(other, now)) into.delete(id)
    return into.size < max
  }

  return {
    async overrides(knownVersion) {
      if (knownVersion === entries.length) return undefined
      const key = experimentKey === undefined ? {} : { key: experimentKey }
      return {
        version: entries.length,
        tiers: new Map(tiers),
        users: new Map(users),
        experiments: { states: new Map(experiments), ...key },
        settings: new Map(settings),
      }
    },
    async setTier(tier, figures, change) {
      const action = figures === undefined ? 'tier-cleared' : 'tier-set'
      return note({ ...change, action, ...put(tiers, tier, figures) })
    },
    async setUser(principalId, override, change) {
      if (override !== undefined && !hasRoom(users, principalId, { max: usersMax, now: change.at })) return undefined
      const action = override === undefined ? 'user-cleared' : 'user-set'
      return note({ ...change, action, ...put(users, principalId, override) })
    },
    async setExperiment(name, { action, before, after, newKey }, change) {
      if (JSON.stringify(experiments.get(name)) !== JSON.stringify(before)) return undefined
      experimentKey ??= newKey
      return note({ ...change, action, ...put(experiments, name, after) })
    },
    async setSetting(name, setting, { subject, ...change }) {
      if (setting !== undefined && !hasRoom(settings, name, { max: settingsMax, now: change.at })) return undefined
      return note({ ...change, ...put(settings, name, setting), subject })
    },
    note: async (entry) => note(entry),
    async audit({ limit, below = Number.POSITIVE_INFINITY, subject }) {
      return entries
        .filter((entry) => entry.number < below && (subject ?? entry.subject) === entry.subject)
        .toReversed()
        .slice(0, limit)
    },
  }
}
