// Walks the ladder until someone answers: each model once, then the FAQ, then the message. Nothing is
// committed before the first content, so a model that fails silently costs the shopper no words; one that
// fails after content ends honestly as `interrupted`, with what there is.
import type { FinishReason } from '@mangaassist/protocol'
import type { Config } from '#config.ts'
import type { FaqEntry } from '#domain/catalogue.ts'
import { faqIndex } from '#domain/faq-index.ts'
import { TurnAbort } from '#domain/turn-abort.ts'
import type { AttemptRecord } from '#domain/turn-record.ts'
import type { Clock } from '#ports/clock.ts'
import type { ModelStopReason } from '#ports/model.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { InvocationPart, Routed, Rung } from '../turn.ts'
import { attempt } from './attempt.ts'
import type { AttemptEnd } from './attempt.ts'
import { fallbackFor } from './fallback.ts'

export interface InvokeParts {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly faq: readonly FaqEntry[]
  readonly config: Config
}

const FINISH_BY_STOP: Readonly<Record<ModelStopReason, FinishReason>> = {
  end: 'stop',
  length: 'length',
  'tool-use': 'interrupted',
  blocked: 'blocked',
}

export function createInvoke(
  parts: InvokeParts,
): (routed: Routed, signal: AbortSignal) => AsyncGenerator<InvocationPart> {
  const { config, telemetry } = parts
  const limits = { ...config.deadlines, ...config.tokens }
  const fallbacks = { faq: faqIndex(parts.faq), store: config.store }

  return async function* invoke(routed, signal) {
    const attempts: AttemptRecord[] = []
    const ended = (finishReason: FinishReason, failure?: string): InvocationPart => ({
      type: 'invocation-end',
      finishReason,
      attempts,
      ...(failure === undefined ? {} : { failure }),
    })
    let reason = routed.ladder.length === 0 ? 'budget' : 'unknown'
    let isBlocked = false
    for (const [index, rung] of routed.ladder.entries()) {
      // What one model's filter stopped is not tried on another.
      if (signal.aborted || isBlocked) break
      let spoke = false
      const context = { clock: parts.clock, limits, number: attempts.length + 1 }
      for await (const part of attempt(context, { ...routed, rung }, signal)) {
        if (part.type === 'text-delta') {
          if (!spoke) yield sourceOf(rung, index, reason)
          spoke = true
          yield part
          continue
        }
        attempts.push(part.record)
        telemetry.count('model.attempt', { model: rung.model.id, outcome: part.record.outcome })
        if (part.end.kind === 'failed') {
          telemetry.log('warn', 'model.failed', {
            turnId: routed.start.turnId,
            model: rung.model.id,
            class: part.end.class,
          })
        }
        if (part.end.kind === 'ended' && part.record.usage.estimated) {
          telemetry.log('warn', 'model.usage-unknown', { model: rung.model.id })
        }
        isBlocked = hasBlocked(part.end)
        const finishReason = finishOf(part.end, spoke)
        if (finishReason !== undefined) return yield ended(finishReason, failureOf(part.end))
        reason = isBlocked ? 'blocked' : part.end.kind === 'failed' ? part.end.class : 'empty'
      }
    }
    if (signal.aborted)
      return yield ended(signal.reason instanceof TurnAbort ? signal.reason.finishReason : 'interrupted')
    // Whoever brought a prompt of their own asked a model, and is owed its answer or the reason why there is none.
    if (routed.start.completion !== undefined) return yield ended(isBlocked ? 'blocked' : 'interrupted', reason)
    const fallback = fallbackFor(fallbacks, routed.start.message, routed.start.language)
    yield {
      type: 'source',
      tier: fallback.tier,
      model: fallback.tier,
      degraded: true,
      confidence: fallback.confidence,
      reason,
    }
    yield { type: 'text-delta', text: fallback.text }
    yield ended(isBlocked ? 'blocked' : 'stop')
  }
}

/** How the turn ends by this attempt; undefined when the next rung should be tried. */
function finishOf(end: AttemptEnd, spoke: boolean): FinishReason | undefined {
  if (end.kind === 'aborted') return end.abort.finishReason
  if (end.kind === 'over-budget') return 'budget'
  // Granted too little for a single word: another model would fare no better.
  if (!spoke) return end.kind === 'ended' && end.stopReason === 'length' ? 'length' : undefined
  if (hasBlocked(end)) return 'blocked'
  return end.kind === 'ended' ? FINISH_BY_STOP[end.stopReason] : 'interrupted'
}

function failureOf(end: AttemptEnd): string | undefined {
  if (end.kind === 'failed') return end.class
  return end.kind === 'ended' && end.stopReason === 'tool-use' ? 'tool-use' : undefined
}

function hasBlocked(end: AttemptEnd): boolean {
  return end.kind === 'ended' ? end.stopReason === 'blocked' : end.kind === 'failed' && end.class === 'blocked'
}

function sourceOf(rung: Rung, index: number, reason: string): InvocationPart {
  const first = index === 0
  const source = { type: 'source', tier: rung.tier, model: rung.model.id } as const
  return first ? { ...source, degraded: false, confidence: 1 } : { ...source, degraded: true, confidence: 0.7, reason }
}
