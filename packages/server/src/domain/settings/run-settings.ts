// The settings that operators change while the servers run: the mode of the service, the log level, and switches of single parts. Each
// lasts until it is changed or expires; without one the configuration applies.
import type { LogLevel } from '../telemetry/entry.ts'

/**
 * `reduced`: no vendor is asked; cache, built-in responder and FAQ answer. `read-only`: no new questions, everything else works.
 * `maintenance`: no new questions, and `/readyz` says so.
 */
export const MODES = ['normal', 'reduced', 'read-only', 'maintenance'] as const
export type Mode = (typeof MODES)[number]

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** Parts that can be left out safely at any time. A switch never turns on what the configuration has turned off. */
export const SWITCHES = ['answer-cache', 'deferred-questions', 'routing', 'hedging', 'prewarm'] as const
export type Switch = (typeof SWITCHES)[number]

export const SETTING_NAMES = ['mode', 'log-level', ...SWITCHES] as const
export type SettingName = (typeof SETTING_NAMES)[number]

/** A value that an operator set, as it is stored. */
export interface Setting {
  readonly value: string | boolean
  readonly by: string
  readonly at: number
  readonly reason: string
  /** From then on it has no effect; absent: until it is changed. */
  readonly expiresAt?: number
}

export type Settings = ReadonlyMap<string, Setting>

export const NO_SETTINGS: Settings = new Map()

/** How many may be stored, sessions that were signed out included. */
export const SETTINGS_MAX = 1000

/** The setting in effect now; undefined when the configuration applies. */
export function settingIn(settings: Settings, name: string, now: number): Setting | undefined {
  const setting = settings.get(name)
  return setting?.expiresAt !== undefined && now >= setting.expiresAt ? undefined : setting
}

/** The mode in effect. A value of a newer version is treated as the safest one that this version knows. */
export function modeIn(settings: Settings, now: number): Mode {
  const value = settingIn(settings, 'mode', now)?.value
  if (value === undefined) return 'normal'
  return MODES.find((mode) => mode === value) ?? 'maintenance'
}

/** Names under which states other than settings are stored with the settings: operated lanes and ended sessions. */
export const laneSetting = (lane: string) => `lane:${lane}`
export const signedOutSetting = (session: string) => `signed-out:${session}`

/** As the parts of the app use them: the values as of the last poll. */
export interface RunSettings {
  mode(): Mode
  /** Whether an operator has switched a part off. */
  isOff(name: Switch): boolean
}
