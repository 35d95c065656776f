// The sink that exports by OTLP: spans after tail sampling, log lines, and every so often a reading of all metrics. A turn
// only adds to bounded queues; conversion and sending happen behind it, and a collector that is dead, slow or full costs
// records, which are counted, and nothing else.
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  LogsExporterMetricsHelper,
  MetricsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { LogLevel } from '#domain/telemetry/entry.ts'
import type { Signal } from '#domain/telemetry/export-names.ts'
import type { MetricReading } from '#domain/telemetry/metric-reading.ts'
import { spanSize } from '#domain/telemetry/span-size.ts'
import { TailSampler } from '#domain/telemetry/tail-sampler.ts'
import type { SamplerSettings } from '#domain/telemetry/tail-sampler.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { EndedSpan, LogLine, Reports, TelemetryFields, TelemetrySink } from '#ports/telemetry/port.ts'
import { BatchQueue } from './batch-queue.ts'
import { logReader, logSize } from './logs.ts'
import { metricsReader } from './metrics.ts'
import { otlpSender } from './sender.ts'
import type { Sender } from './sender.ts'
import type { OtlpSettings } from './settings.ts'
import { spanReader } from './spans.ts'

export interface OtlpParts {
  readonly settings: OtlpSettings
  readonly sampling: SamplerSettings
  readonly messageLengthMax: number
  /** Lines below it are not exported; `silent`: none is. */
  readonly logLevel: LogLevel | 'silent'
  /** Sums equal lines, as the log on stderr does. */
  readonly lines: FoldedLines
  readonly clock: Clock
  readonly random: Pick<Random, 'float'>
  readonly version: string
  readonly metrics: {
    count(name: string, fields: TelemetryFields, by: number): void
    readings(): readonly MetricReading[]
  }
  /** Says when the collector begins and ceases to fail. */
  readonly report: Pick<Reports, 'log'>
}

interface FoldedLines {
  /** Calls `write` now, later for a sum, or never for a line that another stands for. */
  fold(line: LogLine, write: (folded: { readonly leftOut: number; readonly at?: number }) => void): void
  flush(): void
}

export interface OtlpSink extends TelemetrySink {
  /** Sends what waits, and a reading of all metrics. */
  flush(): Promise<void>
  /** The same for a bounded time, with the spans of scopes that have not ended. Nothing is exported afterwards. */
  close(): Promise<void>
}

/** How long a process that ends waits for the collector. */
const CLOSE_MS = 5000
const REASON_LENGTH_MAX = 200
const RANKS: Readonly<Record<LogLevel | 'silent', number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

export function otlpSink(parts: OtlpParts): OtlpSink {
  const { clock, logLevel, settings, version } = parts
  const resource = resourceFromAttributes({ ...settings.resource })
  const exports = new Exports(parts)
  const spans = exports.spans(spanReader({ resource, version, messageLengthMax: parts.messageLengthMax }))
  const logs = exports.logs()
  const toLog = logReader({ resource, version })
  const metrics = exports.metrics(metricsReader({ resource, version, startedAt: clock.now() }))
  return {
    wantsSpans: spans !== undefined,
    log(line) {
      if (logs === undefined || RANKS[line.level] < RANKS[logLevel]) return
      parts.lines.fold(line, ({ leftOut, at = clock.now() }) =>
        logs.add(toLog(leftOut === 0 ? line : { ...line, fields: { ...line.fields, leftOut } }, at)),
      )
    },
    count() {},
    observe() {},
    spanEnded: (span) => spans?.add(span),
    async flush() {
      parts.lines.flush()
      await Promise.all([spans?.flush(), logs?.flush(), metrics?.flush()])
    },
    async close() {
      parts.lines.flush()
      spans?.endAll()
      await Promise.all([spans?.close(), logs?.close(CLOSE_MS), metrics?.close()])
      exports.close()
    },
  }
}

/** The exporters of the signals that are switched on. */
class Exports {
  readonly #parts: OtlpParts
  readonly #senders: Sender<never>[] = []
  /** Batches in a row that the collector did not take. */
  readonly #failing = new Map<Signal, number>()

  constructor(parts: OtlpParts) {
    this.#parts = parts
  }

  close(): void {
    for (const sender of this.#senders) sender.close()
  }

  spans(toSpan: ReturnType<typeof spanReader>) {
    const { clock, random, sampling, settings } = this.#parts
    const { traces } = settings.signals
    if (traces === undefined) return undefined
    const sender = otlpSender(
      traces,
      {
        serializers: { 'http/protobuf': ProtobufTraceSerializer, 'http/json': JsonTraceSerializer },
        helper: TraceExporterMetricsHelper,
        refusedIn: (response) => response.partialSuccess?.rejectedSpans,
      },
      clock,
    )
    this.#senders.push(sender)
    const queue = new BatchQueue<EndedSpan>({
      clock,
      settings: settings.spans,
      // Converted here and not when they end: most spans are not sampled, and none is converted within a turn.
      send: (items) => sender.send(items.map(toSpan)),
      sizeOf: spanSize,
      ...this.#counting('traces'),
    })
    const sampler = new TailSampler<EndedSpan>({
      settings: sampling,
      now: () => clock.now(),
      float: () => random.float(),
      keep: (spans) => {
        for (const span of spans) queue.add(span)
      },
      onKept: (reason) => this.#count('trace_sampled_total', { reason }),
      onDropped: (reason, spans) => this.#count('trace_spans_dropped_total', { reason }, spans),
    })
    return {
      add: (span: EndedSpan) => sampler.add(span),
      endAll: () => sampler.flush(),
      flush: () => queue.flush(),
      close: () => queue.close(CLOSE_MS),
    }
  }

  logs(): BatchQueue<ReadableLogRecord> | undefined {
    const { clock, settings } = this.#parts
    const { logs } = settings.signals
    if (logs === undefined) return undefined
    const sender = otlpSender<ReadableLogRecord[], { partialSuccess?: { rejectedLogRecords?: number } }>(
      logs,
      {
        serializers: { 'http/protobuf': ProtobufLogsSerializer, 'http/json': JsonLogsSerializer },
        helper: LogsExporterMetricsHelper,
        refusedIn: (response) => response.partialSuccess?.rejectedLogRecords,
      },
      clock,
    )
    this.#senders.push(sender)
    const send = (items: readonly ReadableLogRecord[]) => sender.send([...items])
    return new BatchQueue({ clock, settings: settings.logs, send, sizeOf: logSize, ...this.#counting('logs') })
  }

  /** A reading every so often, and a last one at the end. */
  metrics(toMetrics: ReturnType<typeof metricsReader>) {
    const { clock, metrics, settings } = this.#parts
    const { metrics: target } = settings.signals
    if (target === undefined) return undefined
    const sender = otlpSender<ResourceMetrics, { partialSuccess?: { rejectedDataPoints?: number } }>(
      target,
      {
        serializers: { 'http/protobuf': ProtobufMetricsSerializer, 'http/json': JsonMetricsSerializer },
        helper: MetricsExporterMetricsHelper,
        // Data points and not readings: the next reading has them again.
        refusedIn: () => 0,
      },
      clock,
    )
    this.#senders.push(sender)
    // A reading that is not taken is dropped: the next one contains it.
    const queue = new BatchQueue<null>({
      clock,
      settings: { queueMax: 1, batchMax: 1, delayMs: 0 },
      send: () => sender.send(toMetrics(metrics.readings(), clock.now())),
      sizeOf: () => 0,
      ...this.#counting('metrics'),
    })
    let timer = clock.after(settings.metricsEveryMs, function read() {
      queue.add(null)
      timer = clock.after(settings.metricsEveryMs, read)
    })
    return {
      flush() {
        queue.add(null)
        return queue.flush()
      },
      async close() {
        timer[Symbol.dispose]()
        queue.add(null)
        await queue.close(CLOSE_MS)
      },
    }
  }

  #counting(signal: Signal) {
    return {
      onSent: (records: number) => this.#count('telemetry_exported_total', { signal }, records),
      onDropped: (reason: string, records: number) =>
        this.#count('telemetry_export_dropped_total', { signal, reason }, records),
      onBatch: (error: unknown, waiting: number) => this.#note(signal, error, waiting),
    }
  }

  #note(signal: Signal, error: unknown, waiting: number): void {
    const { report } = this.#parts
    const failedBatches = this.#failing.get(signal) ?? 0
    if (error === undefined) {
      this.#failing.delete(signal)
      if (failedBatches > 0) report.log('info', 'telemetry.export-resumed', { signal, failedBatches })
      return
    }
    this.#failing.set(signal, failedBatches + 1)
    if (failedBatches > 0) return
    const reason = (error instanceof Error ? error.message : 'unknown').slice(0, REASON_LENGTH_MAX)
    report.log('warn', 'telemetry.export-failed', { signal, reason, waiting })
  }

  #count(name: string, fields: TelemetryFields, by = 1): void {
    if (by > 0) this.#parts.metrics.count(name, fields, by)
  }
}
