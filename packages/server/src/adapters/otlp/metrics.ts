// The readings of all metrics as OpenTelemetry's, with the names that `/metrics` has: cumulative since the start of the
// process.
import { ValueType } from '@opentelemetry/api'
import type { HrTime } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { PREFIX } from '#domain/telemetry/catalogue.ts'
import type { Unit } from '#domain/telemetry/entry.ts'
import type { DistributionReading, MetricReading } from '#domain/telemetry/metric-reading.ts'
import { hrTime } from './attributes.ts'

/** UCUM; what it has no unit for is an annotation in braces, which no translator adds to a name. */
const UNITS: Readonly<Record<Unit, string>> = {
  count: '1',
  seconds: 's',
  bytes: 'By',
  characters: '{character}',
  ratio: '1',
  tokens: '{token}',
  usd: '{USD}',
}

export interface MetricParts {
  readonly resource: Resource
  readonly version: string
  readonly startedAt: number
}

export function metricsReader({ resource, startedAt, version }: MetricParts) {
  const scope = { name: 'mangaassist', version }
  const startTime = hrTime(startedAt)
  return (readings: readonly MetricReading[], at: number): ResourceMetrics => ({
    resource,
    scopeMetrics: [
      { scope, metrics: readings.map((reading) => metricOf(reading, { startTime, endTime: hrTime(at) })) },
    ],
  })
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function metricOf({ entry, name, points }: MetricReading, times: Times): MetricData {
  const { help: description, kind, unit } = entry
  const valueType = ValueType.DOUBLE
  const descriptor = { name: PREFIX + name, description, unit: UNITS[unit], valueType }
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const plain = () => points.map(({ labels, value }) => ({ ...times, attributes: labels, value: Number(value) }))
  if (kind === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: plain() }
  if (kind === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: plain() }
  const { buckets } = entry
  return {
    ...common,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: points.map(({ labels, value }) => ({
      ...times,
      attributes: labels,
      value: histogramOf(buckets, value as DistributionReading),
    })),
  }
}

function histogramOf(boundaries: readonly number[], { count, counts, sum }: DistributionReading) {
  const above = count - counts.reduce((total, one) => total + one, 0)
  return { buckets: { boundaries: [...boundaries], counts: [...counts, above] }, sum, count }
}
