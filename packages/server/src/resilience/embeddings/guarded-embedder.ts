// An embedder behind its circuit: each call has a deadline, takes a permit, reports its outcome once, and is counted with its cost.
import { costMicroUsd } from '#domain/budget/money.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { outcomeOf } from '#domain/lane/outcome.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embedded, Embedder, EmbedPurpose } from '#ports/embedder/port.ts'
import type { EmbeddingUsage } from '#ports/embedder/embeddings.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface GuardedEmbedderParts {
  readonly embedder: Embedder
  readonly lane: NodeLane
  readonly clock: Clock
  readonly telemetry: Pick<Telemetry, 'count' | 'observe'>
  readonly inputMicroUsdPerMillion: number
}

/** `refused`: the circuit is open, or too many calls are in flight. */
export type GuardedAnswer = Embedded | { readonly kind: 'late' } | { readonly kind: 'refused' }

export interface GuardedCall {
  readonly purpose: EmbedPurpose
  readonly ms: number
  readonly signal: AbortSignal
}

export interface GuardedEmbedder {
  readonly embedder: Pick<Embedder, 'model' | 'dimensions' | 'textsPerCallMax'>
  /** Never rejects. */
  embed(texts: readonly string[], call: GuardedCall): Promise<GuardedAnswer>
  takeUsage(): EmbeddingUsage | undefined
}

/** A permit lasts longer than the call, so that its report always comes first. */
const LEASE_SLACK_MS = 5000
const NO_USAGE = { calls: 0, inputTokens: 0, isEstimated: false }

export function guardedEmbedder(parts: GuardedEmbedderParts): GuardedEmbedder {
  const { clock, embedder, lane, telemetry } = parts
  const timers = fairTimers({ clock })
  let usage = NO_USAGE

  function use(texts: readonly string[], counted: number | undefined): void {
    const inputTokens = counted ?? texts.reduce((sum, text) => sum + genericCounter.text(text), 0)
    usage = {
      calls: usage.calls + 1,
      inputTokens: usage.inputTokens + inputTokens,
      isEstimated: usage.isEstimated || counted === undefined,
    }
  }

  async function made(texts: readonly string[], { ms, purpose, signal }: GuardedCall): Promise<GuardedAnswer> {
    const id = lane.take(ms + LEASE_SLACK_MS)
    if (id === undefined) return { kind: 'refused' }
    const at = clock.now()
    const answer = await withDeadline(timers, { ms, signal }, (own) => embedder.embed({ texts, purpose, signal: own }))
    timers.answerReceived()
    telemetry.observe('embedder_call_seconds', (clock.now() - at) / 1000, { purpose })
    if (answer === LATE) {
      // A caller that left says nothing about the vendor.
      lane.report(id, signal.aborted ? 'neutral' : 'overload')
      use(texts, undefined)
      return { kind: 'late' }
    }
    lane.report(id, answer.kind === 'vectors' ? 'success' : outcomeOf(answer.failure.class))
    if (answer.kind === 'vectors') use(texts, answer.inputTokens)
    return answer
  }

  return {
    embedder,
    async embed(texts, call) {
      const answer = await made(texts, call)
      const { purpose } = call
      const outcome = answer.kind === 'failed' ? answer.failure.class : answer.kind
      telemetry.count('embedder_calls_total', { purpose, outcome })
      return answer
    },
    takeUsage() {
      if (usage.calls === 0) return undefined
      const price = { inputMicroUsdPerMillion: parts.inputMicroUsdPerMillion, outputMicroUsdPerMillion: 0 }
      const taken = { ...usage, costMicroUsd: costMicroUsd(price, usage.inputTokens, 0) }
      usage = NO_USAGE
      return taken
    },
  }
}
