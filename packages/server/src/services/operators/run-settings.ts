// The settings of operators in effect on this node: mode, log level, switches. Read from the cache of the last poll, so that no question waits
// for a store; a change applies on every node within a second, and the last known values apply while the store is unavailable.
import type { Config } from '#config/config.ts'
import { modeIn, settingIn, SWITCHES } from '#domain/settings/run-settings.ts'
import type { Mode, RunSettings, Switch } from '#domain/settings/run-settings.ts'
import type { LogLevel } from '#domain/telemetry/entry.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Limits } from '../principal-limits.ts'

export interface RunSettingsParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Config
  readonly limits: Pick<Limits, 'poll' | 'settings'>
  readonly telemetry: Telemetry
  /** Absent where nothing is logged. */
  readonly setLogLevel?: ((level: ConfiguredLevel) => void) | undefined
  /** Called at once, and when the mode has changed. */
  readonly onMode?: (mode: Mode) => void
}

type ConfiguredLevel = Config['server']['logLevel']

export interface WatchedSettings extends RunSettings {
  /** Polls for changes and applies them. Never rejects. */
  poll(): Promise<void>
}

export const POLL_EVERY_MS = 500

/** Whether the configuration has the part. */
export function isConfigured(name: Switch, config: Config): boolean {
  switch (name) {
    case 'answer-cache':
    case 'deferred-questions':
      return true
    case 'routing':
      return config.routing.enabled
    case 'hedging':
      return config.hedge.enabled
    case 'prewarm':
      return config.store.prewarm.enabled
  }
}

export function createRunSettings(parts: RunSettingsParts): WatchedSettings {
  const { clock, config, limits, telemetry } = parts
  const mode = () => modeIn(limits.settings(), clock.now())
  const isOff = (name: Switch) => settingIn(limits.settings(), name, clock.now())?.value === false
  const logLevel = (): ConfiguredLevel => {
    const value = settingIn(limits.settings(), 'log-level', clock.now())?.value
    return (value as LogLevel | undefined) ?? config.server.logLevel
  }
  const valuesNow = () =>
    new Map<string, string>([
      ['mode', mode()],
      ['log-level', logLevel()],
      ...SWITCHES.map((name) => [name, isOff(name) ? 'off' : 'configured'] as const),
    ])
  let applied = valuesNow()

  function apply(): void {
    const current = valuesNow()
    for (const [setting, value] of current) {
      const before = applied.get(setting)
      if (before === value) continue
      telemetry.log('warn', 'setting.applied', { setting, before, value })
      if (setting === 'mode') parts.onMode?.(mode())
      if (setting === 'log-level') parts.setLogLevel?.(logLevel())
    }
    applied = current
  }

  return {
    mode,
    isOff,
    async poll() {
      await limits.poll()
      apply()
    },
  }
}
