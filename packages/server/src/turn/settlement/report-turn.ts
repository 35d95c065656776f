// The distributions of an ended turn, reported by the owner that wrote its end: how long it took, and how fast its model wrote.
import type { TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import { tokensPerSecond } from './turn-figures.ts'

export function reportTurn(reports: Pick<Reports, 'observe'>, start: TurnStart, outcome: TurnOutcome): void {
  const { endedAt, finishReason, modelName: model = 'none', tier } = outcome
  const seconds = (endedAt - start.acceptedAt) / 1000
  reports.observe('turn_duration_seconds', seconds, { tier, model, outcome: finishReason })
  const rate = tokensPerSecond(outcome)
  if (rate > 0 && outcome.modelName !== undefined) reports.observe('model_output_tokens_per_second', rate, { model })
}
