// Opens the export by OTLP where the variables ask for it. Nothing of OpenTelemetry is loaded otherwise.
import type { OtlpSink } from '#adapters/otlp/telemetry.ts'
import { foldLines } from '#adapters/system/fold-lines.ts'
import type { MetricsRegistry } from '#adapters/system/metrics.ts'
import type { Config } from '#config/config.ts'
import { softwareVersion } from '#config/installation.ts'
import { STABLE } from '#domain/telemetry/gen-ai-names.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import { readOtelVariables } from './otel-variables.ts'

export interface OpenOtlpParts {
  readonly config: Config
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  readonly metrics: MetricsRegistry
  readonly report: Pick<Reports, 'log'>
}

export async function openOtlp({ env, ...parts }: OpenOtlpParts): Promise<OtlpSink | undefined> {
  // Problems were reported by `checkTelemetry`, and nothing started.
  const { settings } = readOtelVariables(env)
  if (settings === undefined) return undefined
  const { otlpSink } = await import('#adapters/otlp/telemetry.ts')
  const { clock, config, random } = parts
  const { messageLengthMax, traces } = config.telemetry
  const version = softwareVersion()
  const own = { [STABLE.serviceVersion]: version, [STABLE.serviceInstance]: random.id('instance') }
  return otlpSink({
    ...parts,
    settings: { ...settings, resource: { ...own, ...settings.resource } },
    sampling: traces,
    messageLengthMax,
    logLevel: config.server.logLevel,
    version,
    lines: foldLines({ now: () => clock.now() }),
  })
}
