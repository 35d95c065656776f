// The routing of an arm: the configured one with what the arm changes.
import type { RoutingSettings } from '../routing/routing-settings.ts'
import type { ArmChange } from './experiment-settings.ts'

export function armRouting(configured: RoutingSettings, change: ArmChange): RoutingSettings {
  const { levels, routing: enabled = configured.enabled, rules = configured.rules } = change
  return { ...configured, enabled, rules, levels: { ...configured.levels, ...levels } }
}
