// The parts that a process takes from its machine, whatever its stores are: time, randomness, log and metrics.
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { processMetrics } from '#adapters/system/metrics.ts'
import type { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricsSink } from '#adapters/system/metrics-sink.ts'
import { pinoSink } from '#adapters/system/telemetry.ts'
import type { Config } from '#config/config.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { telemetryTo } from '#ports/telemetry/telemetry-to.ts'

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
  const random = systemRandom()
  const sinks = [pinoSink({ level: config.server.logLevel, now: () => clock.now() }), metricsSink(metrics)]
  return { clock, random, telemetry: telemetryTo({ clock, random, sinks }), metrics }
}
