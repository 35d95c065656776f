// What the spans of an invocation say of its calls: permits, the queue, circuits, retries and seams as events of the
// invocation, and the fields of each attempt. Nothing is decided here, and without a sink that wants spans nothing is made.
import type { RetryPlan } from '#domain/retry/plan-retry.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import { messageText } from '#domain/model/model-message.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { ModelErrorClass } from '#ports/model/port.ts'
import type { Span, SpanContent } from '#ports/telemetry/port.ts'
import type { Rung } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Attempted, Call } from './attempt.ts'
import { permitOutcome } from './permit-outcome.ts'
import type { Entered } from './waiting-queue.ts'

const MS_PER_SECOND = 1000

type Traced = Pick<AnswerDraft, 'span' | 'circuits'>

/** The circuit as the turn sees it: an event when it has changed since the turn last saw it, and at first when it is not closed. */
export function circuitSeen({ span, circuits }: Traced, { name, lane }: Rung, lanes: Pick<Lanes, 'seen'>): void {
  if (span.trace === undefined) return
  const { level, phase } = lanes.seen(lane)
  const before = circuits.get(lane) ?? 'closed'
  circuits.set(lane, phase)
  if (phase === before) return
  span.event('lane.circuit-seen', { model: name, laneId: lane, circuit: phase, level })
}

/** `waitMs`: undefined when the turn did not wait in the queue. */
export function permitAsked(
  { span }: Traced,
  { name, lane }: Rung,
  asked: { entered: Entered; waitMs?: number },
): void {
  if (span.trace === undefined) return
  const { entered, waitMs } = asked
  const outcome = permitOutcome(entered)
  const fields = { model: name, laneId: lane, waitMs }
  if (waitMs !== undefined) span.event('lane.queue-left', { ...fields, permitOutcome: outcome })
  if (entered.kind === 'permit') span.event('lane.permit-granted', fields)
  else span.event('lane.permit-refused', { ...fields, reason: outcome })
}

/** `refused`: the reason for which the lane granted no permit for a planned retry. */
export function retryPlanned(
  { span }: Traced,
  { name }: Rung,
  { plan, failed, refused }: { plan: RetryPlan; failed: ModelErrorClass; refused?: string },
): void {
  if (plan.kind === 'retry' && refused === undefined)
    return span.event('model.retry-granted', { model: name, errorClass: failed, delayMs: plan.delayMs })
  const reason = plan.kind === 'give-up' ? plan.why : refused
  span.event('model.retry-refused', { model: name, errorClass: failed, reason })
}

/** Whether shown text was continued, and whether it fitted. */
export function seamMade({ span }: Traced, { rung, shown }: Call, { end, record, spoke }: Attempted): void {
  if (shown === '') return
  const seam = { model: rung.name, textLength: shown.length }
  if (end.kind === 'misfit') span.event('turn.continuation-misfit', seam)
  else if (spoke) span.event('turn.continued', { ...seam, callOutcome: record.outcome })
}

/** The fields of an attempt that are known before the call. */
export function attemptFields(
  { rung, temperature, promptVersion }: Call,
  { attempt, isHedge, provider, sessionId }: Pick<SpanFields, 'attempt' | 'isHedge' | 'provider' | 'sessionId'>,
): SpanFields {
  const { lane, maxOutputTokens, model, name, tier } = rung
  const asked = {
    attempt,
    provider,
    sessionId,
    model: name,
    modelId: model.id,
    laneId: lane,
    tier,
    maxOutputTokens,
    temperature,
    serverAddress: model.host,
  }
  return {
    ...asked,
    ...(promptVersion === undefined ? {} : { promptVersion }),
    ...(isHedge === true ? { isHedge } : {}),
  }
}

/** What the call added. A call that was cut off has no stop reason of the vendor: the conventions call that `error`. */
export function endedFields({ end, record }: Attempted): SpanFields {
  const { cacheReadTokens, cacheWriteTokens, costMicroUsd, fault, firstWordMs, outcome, reasoningTokens, usage } =
    record
  return {
    callOutcome: outcome,
    stopReason: end.kind === 'ended' ? end.stopReason : 'error',
    ...(end.kind === 'failed' ? { errorClass: end.class } : {}),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    firstTextSeconds: firstWordMs === undefined ? undefined : firstWordMs / MS_PER_SECOND,
    vendorStatus: fault?.status,
    vendorRequestId: fault?.requestId,
    isEstimated: usage.estimated,
    costMicroUsd,
  }
}

/** The context that the vendor gets; undefined without spans, and where the shop does not want it. */
export function sentTrace({ trace }: Span, propagate: boolean): { readonly trace?: TraceContext } {
  return propagate && trace !== undefined ? { trace } : {}
}

/** The words of a call, for a shop that wants them in its traces. */
export class CallWords {
  readonly #call: Call
  #output = ''

  constructor(call: Call) {
    this.#call = call
  }

  readonly hear = (text: string): void => {
    this.#output += text
  }

  content(): SpanContent {
    const { messages, system } = this.#call
    return {
      system,
      input: messages.map((message) => ({ role: message.role, text: messageText(message) })),
      output: this.#output,
    }
  }
}
