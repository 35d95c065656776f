// Reports one call of a model for an answer: how it ended, and for a failed one what the vendor or the network said.
import { faultFields } from '#domain/model/fault-fields.ts'
import { usageGap } from '#domain/model/model-usage.ts'
import type { LabelsOf } from '#domain/telemetry/catalogue.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import type { Attempted, Call } from './attempt.ts'

/** `tries` is the number of the try at this model in its turn. */
export function reportCall(
  reports: Reports,
  { start, rung, tries }: Call & { readonly tries: number },
  made: Attempted,
): void {
  const { end, record } = made
  const { name: model } = rung
  reports.count('model_attempts_total', { model, outcome: record.outcome })
  const labels = { model, attempt: numberOf(tries), outcome: outcomeOf(end) }
  reports.observe('model_attempt_seconds', (record.tookMs ?? 0) / 1000, labels)
  if (end.kind === 'failed' && end.class !== 'cancelled') {
    const { attempt, model: modelId, fault, tookMs } = record
    const fields = { turnId: start.turnId, model, modelId, attempt, class: end.class, tookMs }
    reports.log('warn', 'model.attempt-failed', { ...fields, ...faultFields(fault) })
  }
  if (end.kind === 'ended' && record.usage.estimated) {
    reports.count('model_usage_estimated_total', { model, reason: usageGap(made.usageReported) })
    const fields = { model, modelId: record.model, reported: made.usageReported ?? 'nothing' }
    reports.log('warn', 'model.usage-estimated', fields)
  }
}

type Labels = LabelsOf<'model_attempt_seconds'>

function numberOf(tries: number): Labels['attempt'] {
  return tries >= 4 ? '4+' : (String(Math.max(1, tries)) as Labels['attempt'])
}

function outcomeOf(end: Attempted['end']): Labels['outcome'] {
  if (end.kind === 'aborted' || (end.kind === 'failed' && end.class === 'cancelled')) return 'stopped'
  return end.kind === 'ended' || end.kind === 'over-budget' ? 'ok' : 'failed'
}
