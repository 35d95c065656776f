// What a process takes from the machine it runs on, whatever its stores are: time, chance, and a place for its log.
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { metered, processMetrics } from '#adapters/system/metrics.ts'
import type { MetricsRegistry } from '#adapters/system/metrics.ts'
import { pinoTelemetry } from '#adapters/system/telemetry.ts'
import type { Config } from '#config/config.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface SystemParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
}

export function wireSystem(
  config: Config,
  clock: Clock = systemClock(),
): SystemParts & { readonly metrics: MetricsRegistry } {
  const metrics = processMetrics()
  const telemetry = metered(pinoTelemetry({ level: config.server.logLevel }), metrics)
  return { clock, random: systemRandom(), telemetry, metrics }
}
