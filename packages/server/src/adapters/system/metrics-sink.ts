// Feeds the figures that Prometheus reads. The ids of a scope are not labels: the number of series would grow without
// bound.
import type { TelemetrySink } from '#ports/telemetry/port.ts'
import type { MetricsRegistry } from './metrics.ts'

export function metricsSink(metrics: MetricsRegistry): TelemetrySink {
  return {
    wantsSpans: false,
    log() {},
    count: ({ name, fields, by }) => metrics.count(name, fields, by),
    observe: ({ name, value, fields }) => metrics.observe(name, value, fields),
    spanEnded() {},
  }
}
