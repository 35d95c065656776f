// Counts what calls of models used and cost, when it is booked: the counters then agree with the ledger. Called once for each call, by
// the settlement of turns and by the calls that the shop itself makes.
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { LabelsOf } from '#domain/telemetry/catalogue.ts'
import type { Reports } from './port.ts'

type Payer = LabelsOf<'model_cost_usd_total'>['payer']
type Kind = LabelsOf<'model_tokens_total'>['kind']

/** A call that an older node made, or that broke off with its owner, has no configured name. */
const UNNAMED = 'none'

export function reportUse(reports: Pick<Reports, 'count'>, payer: Payer, records: readonly AttemptRecord[]): void {
  for (const record of records) {
    const { name: model = UNNAMED, costMicroUsd, usage } = record
    const count = (kind: Kind, tokens: number | undefined) => {
      if (tokens !== undefined && tokens > 0) reports.count('model_tokens_total', { model, kind }, tokens)
    }
    count('input', usage.inputTokens)
    count('output', usage.outputTokens)
    count('cache-read', record.cacheReadTokens)
    count('cache-write', record.cacheWriteTokens)
    count('reasoning', record.reasoningTokens)
    if (costMicroUsd > 0) reports.count('model_cost_usd_total', { model, payer }, costMicroUsd)
  }
}
