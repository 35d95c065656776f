// Holds the sink of the metrics to the contract of telemetry.
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { MetricsRegistry } from './metrics.ts'
import { metricsSink } from './metrics-sink.ts'

telemetryContract('metrics sink', () => {
  const metrics = new MetricsRegistry()
  return { sink: metricsSink(metrics), written: () => metrics.text(), isFigures: true }
})
