// The log lines of a process's start: what it is and runs on, and its configuration.
import { isAnyHostAllowed } from '#edge/http/hosts.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { softwareVersion } from '#config/installation.ts'
import type { ConfigSources } from '#config/load-config.ts'
import type { FieldsOf } from '#domain/telemetry/catalogue.ts'
import type { NodeFacts } from '#ports/node-registry/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { effectiveSettings } from './effective-settings.ts'

export interface LifecycleParts {
  readonly telemetry: Telemetry
  readonly config: Config
}

export interface Started {
  readonly node: NodeFacts
  readonly address: string
  readonly sources: ConfigSources
  readonly readyMs: number
}

export function reportStart({ config, telemetry }: LifecycleParts, started: Started): void {
  const { file, variables } = started.sources
  telemetry.log('info', 'server.started', {
    version: softwareVersion(),
    nodeVersion: process.version,
    node: started.node.id,
    host: started.node.host,
    pid: process.pid,
    profile: config.state.redis === undefined ? 'one-machine' : 'cluster',
    stores: pairs(chosenStores(config)),
    models: modelsOf(config),
    ladder: config.ladder.join(' '),
    address: started.address,
    readyMs: started.readyMs,
  })
  if (isAnyHostAllowed(config.server))
    telemetry.log('warn', 'server.any-host-allowed', { advice: 'set server.publicUrl: any host name is answered' })
  const { settings, leftOut } = effectiveSettings(config)
  const more: FieldsOf<'config.effective'> = leftOut === 0 ? {} : { leftOut }
  // Names of variables, because their values may be secrets.
  telemetry.log('info', 'config.effective', { file, variables: variables.join(' '), settings, ...more })
}

function modelsOf({ models }: Config): string {
  return pairs(
    Object.fromEntries(Object.entries(models).map(([name, { id, provider }]) => [name, `${provider}:${id ?? ''}`])),
  )
}

function pairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
