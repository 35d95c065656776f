// Runs the contract of telemetry on the sink of the metrics.
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { MetricsRegistry } from './metrics.ts'
import { metricsSink } from './metrics-sink.ts'

telemetryContract(
  'metrics sink',
  () => {
    const metrics = new MetricsRegistry()
    return { sink: metricsSink(metrics), written: () => metrics.text() }
  },
  { isFigures: true },
)
