// Metrics and events of the export of traces, metrics and logs to a collector, and of the sampling before it.
import { counter, event } from './entry.ts'
import { KEPT, SPANS_DROPPED } from './tail-sampler.ts'

export const SIGNALS = ['traces', 'metrics', 'logs'] as const
export type Signal = (typeof SIGNALS)[number]

export const exportMetrics = {
  trace_sampled_total: counter('Scopes whose spans are exported, by the first rule that applies.', { reason: KEPT }),
  trace_spans_dropped_total: counter(
    'Spans that are not exported: not sampled, or a bound of `telemetry.traces` was reached.',
    { reason: SPANS_DROPPED },
  ),
  telemetry_exported_total: counter('Spans, log lines and readings of all metrics that the collector accepted.', {
    signal: SIGNALS,
  }),
  telemetry_export_dropped_total: counter(
    'Spans, log lines and readings that were dropped: too many or too large for the queue, refused or not taken by the collector, or not sent before the end.',
    { signal: SIGNALS, reason: ['queue', 'bytes', 'failed', 'closing'] },
  ),
} as const

export const exportEvents = {
  'telemetry.export-failed': event(
    'warn',
    'The collector does not take what is exported; turns are not affected. Once until it works again.',
    ['signal', 'reason', 'waiting'],
  ),
  'telemetry.export-resumed': event('info', 'The collector takes what is exported again.', ['signal', 'failedBatches']),
} as const
