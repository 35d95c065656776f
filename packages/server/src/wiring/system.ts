// The parts that a process takes from its machine, whatever its stores are: time, randomness, log, metrics and, for a server,
// the export of telemetry.
import { asyncContext } from '#adapters/system/async-context.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricsSink } from '#adapters/system/metrics-sink.ts'
import { processMetrics, sampleEventLoop } from '#adapters/system/process-metrics.ts'
import { pinoSink } from '#adapters/system/telemetry.ts'
import type { LogSink } from '#adapters/system/telemetry.ts'
import type { Config } from '#config/config.ts'
import { softwareVersion } from '#config/installation.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { telemetryTo } from '#ports/telemetry/telemetry-to.ts'
import { turnLines } from '#ports/telemetry/turn-lines.ts'
import type { TurnLines } from '#ports/telemetry/turn-lines.ts'
import { openOtlp } from './telemetry/open-otlp.ts'

export interface SystemParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
}

interface MeasuredSystem extends SystemParts {
  readonly metrics: MetricsRegistry
}

/** Disposing it writes the sums that the log holds back, and sends what waits to be exported, for a bounded time. */
type ServingSystem = MeasuredSystem &
  AsyncDisposable & { readonly setLogLevel: LogSink['setLevel']; readonly turnLines: TurnLines }

/** For a command: nothing is exported. */
export function wireSystem(config: Config, clock: Clock = systemClock()): MeasuredSystem {
  const metrics = metricsOf(config)
  const random = systemRandom()
  const sinks = [logSink(config, clock), metricsSink(metrics)]
  return { clock, random, telemetry: telemetryTo({ clock, random, sinks }), metrics }
}

/** For a server: telemetry is also exported where the environment asks for it. */
export async function wireServing(
  config: Config,
  { clock = systemClock(), env }: { clock?: Clock | undefined; env: Readonly<Record<string, string | undefined>> },
): Promise<ServingSystem> {
  const metrics = metricsOf(config)
  const random = systemRandom()
  let telemetry: Telemetry | undefined
  const report: Pick<Telemetry, 'log'> = { log: (...line) => telemetry?.log(...line) }
  const exporter = await openOtlp({ config, env, clock, random, metrics, report })
  const log = logSink(config, clock)
  const lines = turnLines({ clock })
  const sinks = [log, lines, metricsSink(metrics), ...(exporter === undefined ? [] : [exporter])]
  telemetry = telemetryTo({ clock, random, sinks, context: asyncContext })
  const sampling = sampleEventLoop(metrics)
  const close = async () => {
    sampling[Symbol.dispose]()
    log.flush()
    await exporter?.close()
  }
  const { setLevel: setLogLevel } = log
  return { clock, random, telemetry, metrics, setLogLevel, turnLines: lines, [Symbol.asyncDispose]: close }
}

function metricsOf({ server }: Config): MetricsRegistry {
  return processMetrics({ dataDir: server.dataDir, version: softwareVersion() })
}

function logSink(config: Config, clock: Clock): LogSink {
  return pinoSink({ level: config.server.logLevel, now: () => clock.now() })
}
