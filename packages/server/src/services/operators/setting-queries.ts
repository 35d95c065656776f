// The settings for operators: what is in effect, who set it and until when; and changing them. Every change has a reason and a line
// in the audit, in one step.
import type { Config } from '#config/config.ts'
import {
  LOG_LEVELS,
  modeIn,
  MODES,
  SETTING_NAMES,
  settingIn,
  signedOutSetting,
  SWITCHES,
} from '#domain/settings/run-settings.ts'
import type { Mode, Setting, SettingName, Switch } from '#domain/settings/run-settings.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { AuditLine, Author } from '../admin.ts'
import type { Limits } from '../principal-limits.ts'
import { isConfigured } from './run-settings.ts'

export interface SettingQueriesParts {
  readonly admin: Pick<AdminStore, 'note' | 'setSetting'>
  readonly clock: Clock
  readonly config: Config
  readonly limits: Pick<Limits, 'latest' | 'settings'>
  /** Applies a change on this node at once. */
  readonly apply: () => Promise<void>
  readonly telemetry: Telemetry
}

export interface SettingView {
  readonly name: SettingName
  /** What is in effect. */
  readonly value: string | boolean
  /** What would be in effect without an operator's change. */
  readonly configured: string | boolean
  readonly changed:
    | (Omit<Setting, 'at' | 'expiresAt' | 'value'> & { readonly at: string; readonly until?: string })
    | null
}

export interface SettingRequest {
  readonly name: SettingName
  /** Null: what is configured applies again. */
  readonly value: string | boolean | null
  readonly expiresAt?: number
}

interface SignedOut {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly by: 'token' | 'issuer'
  readonly expiresAt: number
}

const invalid = (field: string, reason: string) => new Refusal('INVALID_REQUEST', { details: { field, reason } })

export function createSettingQueries(parts: SettingQueriesParts) {
  const { admin, clock, config, limits, telemetry } = parts

  function configuredOf(name: SettingName): string | boolean {
    if (name === 'mode') return 'normal'
    return name === 'log-level' ? config.server.logLevel : isConfigured(name, config)
  }

  function viewOf(name: SettingName): SettingView {
    const configured = configuredOf(name)
    const setting = settingIn(limits.settings(), name, clock.now())
    if (setting === undefined) return { name, value: configured, configured, changed: null }
    const { at, by, expiresAt, reason } = setting
    const until = expiresAt === undefined ? {} : { until: isoTime(expiresAt) }
    const value = name === 'mode' ? modeIn(limits.settings(), clock.now()) : setting.value
    return { name, value, configured, changed: { by, at: isoTime(at), reason, ...until } }
  }

  async function store({ expiresAt, name, value }: SettingRequest, { by, reason }: Author): Promise<AuditLine> {
    const at = clock.now()
    const isCleared = value === null || value === configuredOf(name)
    const lasting = expiresAt === undefined ? {} : { expiresAt }
    const setting = isCleared ? undefined : { value, by, at, reason, ...lasting }
    const action = isCleared ? 'setting-cleared' : 'setting-set'
    const entry = await admin.setSetting(name, setting, { at, by, reason, action, subject: name })
    if (entry === undefined) throw invalid('name', 'the maximum number of settings is reached')
    return done(entry)
  }

  async function done(entry: AuditEntry): Promise<AuditLine> {
    const { action, by, number, subject } = entry
    telemetry.count('admin_changed_total', { action })
    telemetry.log('warn', 'admin.changed', { action, subject, number, by })
    await readAgain()
    await parts.apply()
    return { ...entry, at: isoTime(entry.at) }
  }

  /** While the store is unavailable the last known values are shown and applied; the poll reports it. */
  async function readAgain(): Promise<void> {
    await limits.latest().catch(() => undefined)
  }

  return {
    /** The mode in effect on this node. */
    mode: (): Mode => modeIn(limits.settings(), clock.now()),

    /** All settings, as the store has them now; the last known ones while it is unavailable. */
    async settings(): Promise<readonly SettingView[]> {
      await readAgain()
      return SETTING_NAMES.map(viewOf)
    },

    async setSetting(request: SettingRequest, author: Author): Promise<AuditLine> {
      const { expiresAt, name, value } = request
      if (expiresAt !== undefined && expiresAt <= clock.now()) throw invalid('until', 'is in the past')
      if (expiresAt !== undefined && value === null) throw invalid('until', 'needs a value')
      if (value !== null) requireValue(name, value, configuredOf(name))
      return store(request, author)
    },

    /** Who switched maintenance on, and when; null in any other mode. */
    maintenance(): { readonly by: string; readonly at: number } | null {
      const setting = settingIn(limits.settings(), 'mode', clock.now())
      if (setting === undefined || modeIn(limits.settings(), clock.now()) !== 'maintenance') return null
      return { by: setting.by, at: setting.at }
    },

    setMaintenance: (isOn: boolean, author: Author): Promise<AuditLine> =>
      store({ name: 'mode', value: isOn ? 'maintenance' : null }, author),

    /**
     * Ends a session on every node. Never rejects: where it cannot be stored, the session has ended on the node that was asked, and the log says
     * so.
     */
    async endSession({ by: means, expiresAt, id, name, role }: SignedOut): Promise<void> {
      const change = { at: clock.now(), by: name, reason: `by ${means}`, action: 'signed-out', subject: name } as const
      const setting = { value: role, by: name, at: change.at, reason: change.reason, expiresAt }
      try {
        const stored = await admin.setSetting(signedOutSetting(id), setting, change)
        const entry = stored ?? (await admin.note({ ...change, before: setting, after: null }))
        telemetry.log('info', 'admin.changed', { action: change.action, number: entry.number, by: name })
        await readAgain()
      } catch (error) {
        telemetry.log('error', 'admin.audit-write-failed', { action: change.action, subject: name, by: name }, error)
      }
      telemetry.count('admin_changed_total', { action: change.action })
    },

    /** As of the last poll. */
    isSignedOut: (id: string): boolean => limits.settings().has(signedOutSetting(id)),
  }
}

function requireValue(name: SettingName, value: string | boolean, configured: string | boolean): void {
  if (name === 'mode') return requireOneOf(MODES, value)
  if (name === 'log-level') return requireOneOf(LOG_LEVELS, value)
  if (!isSwitch(name) || typeof value !== 'boolean') throw invalid('value', 'must be true or false')
  if (value && configured === false) throw invalid('value', 'is turned off in the configuration')
}

function isSwitch(name: SettingName): name is Switch {
  return SWITCHES.some((known) => known === name)
}

function requireOneOf(values: readonly string[], value: string | boolean): void {
  if (!values.some((known) => known === value)) throw invalid('value', `must be one of ${values.join(', ')}`)
}
