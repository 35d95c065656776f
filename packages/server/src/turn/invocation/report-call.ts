// Reports one call of a model for an answer: how it ended, and for a failed one what the vendor or the network said.
import { faultFields } from '#domain/model/fault-fields.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import type { Attempted, Call } from './attempt.ts'

export function reportCall(reports: Reports, { start, rung }: Call, { end, record }: Attempted): void {
  const { name: model } = rung
  reports.count('model_attempts_total', { model, outcome: record.outcome })
  if (end.kind === 'failed' && end.class !== 'cancelled') {
    const { attempt, model: modelId, fault, tookMs } = record
    const fields = { turnId: start.turnId, model, modelId, attempt, class: end.class, tookMs }
    reports.log('warn', 'model.attempt-failed', { ...fields, ...faultFields(fault) })
  }
  if (end.kind === 'ended' && record.usage.estimated) reports.log('warn', 'model.usage-estimated', { model })
}
