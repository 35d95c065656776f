// A house call that collects all parts of the answer, for summaries and format probes. Never throws.
import { costMicroUsd } from '#domain/budget/money.ts'
import { outcomeOf } from '#domain/lane/outcome.ts'
import { believedTokens, believedUsage } from '#domain/model/believed-usage.ts'
import type { ModelErrorClass, ModelPart } from '#domain/model/model-part.ts'
import { outputIn, usageIn } from '#domain/model/probe.ts'
import { faultOf } from '#domain/model/call-fault.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Rung } from '../turn.ts'
import { collectParts } from './collect-parts.ts'
import type { CollectRequest } from './collect-parts.ts'
import type { MadeCall, Permitted } from './house-call.ts'

export interface BriefCall extends MadeCall {
  readonly parts: readonly ModelPart[]
  /** The provider's reported input tokens, where they can be trusted. */
  readonly inputTokensReported: number | undefined
}

export async function briefCall(
  { clock, rung, ms, signal }: BriefCallParts,
  request: Omit<CollectRequest, 'maxOutputTokens'>,
  { estimatedInputTokens, counter, onAlive }: Pick<Permitted, 'estimatedInputTokens' | 'counter' | 'onAlive'>,
): Promise<BriefCall> {
  const asked = { ...request, maxOutputTokens: rung.maxOutputTokens }
  const startedAt = clock.now()
  const parts = await collectParts({ clock, model: rung.model }, asked, { ms, signal, onAlive })
  const failure = failureIn(parts)
  const reported = usageIn(parts)
  const usage = believedUsage({
    isStarted: parts[0]?.type === 'message-start',
    failure,
    reported,
    estimate: { inputTokens: estimatedInputTokens, outputTokens: counter.text(outputIn(parts)) },
  })
  const last = parts.at(-1)
  return {
    parts,
    inputTokensReported: believedTokens(reported.inputTokens, estimatedInputTokens),
    outcome: failure === undefined ? 'success' : outcomeOf(failure),
    record: {
      attempt: 1,
      model: rung.model.id,
      tier: rung.tier,
      usage,
      costMicroUsd: costMicroUsd(rung.price, usage.inputTokens, usage.outputTokens),
      outcome: failure ?? (last?.type === 'message-end' ? last.stopReason : 'stream-broken'),
      name: rung.name,
      startedAt,
      tookMs: clock.now() - startedAt,
      ...faultIn(last, rung.model, request),
    },
  }
}

export interface BriefCallParts {
  readonly clock: Clock
  readonly rung: Rung
  /** How long the whole answer may take. */
  readonly ms: number
  readonly signal: AbortSignal
}

/** A stream without an end is broken. */
function failureIn(parts: readonly ModelPart[]): ModelErrorClass | undefined {
  const last = parts.at(-1)
  if (last?.type === 'message-end') return undefined
  return last?.type === 'model-error' ? last.class : 'stream-broken'
}

function faultIn(
  last: ModelPart | undefined,
  { host }: Rung['model'],
  { messages }: Pick<CollectRequest, 'messages'>,
): Pick<MadeCall['record'], 'fault'> {
  return last?.type === 'model-error' ? faultOf(last, { host, messages }) : {}
}
