// Walks the ladder until someone answers: each model once, then the FAQ, then the message. Nothing is
// committed before the first content, so a model that fails silently costs the shopper no words; one that
// fails after content ends honestly as `interrupted`, with what there is. An answer that a lost owner had begun is gone
// on with, by whoever begins it in the same words.
import type { FinishReason } from '@mangaassist/protocol'
import type { Config } from '#config.ts'
import type { FaqEntry } from '#domain/catalogue.ts'
import { faqIndex } from '#domain/faq-index.ts'
import { add, exceeds, NOTHING } from '#domain/quota.ts'
import type { Amounts } from '#domain/quota.ts'
import { TurnAbort } from '#domain/turn-abort.ts'
import type { AttemptRecord, TurnStart } from '#domain/turn-record.ts'
import type { Clock } from '#ports/clock.ts'
import type { ModelStopReason } from '#ports/model.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { Estimates } from '../estimates.ts'
import { needOf, usedBy } from '../need.ts'
import type { Invocation, InvocationEnd, InvocationPart, Routed, Rung } from '../turn.ts'
import { attempt } from './attempt.ts'
import type { AttemptEnd } from './attempt.ts'
import { fallbackFor } from './fallback.ts'

export interface InvokeParts {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly faq: readonly FaqEntry[]
  readonly config: Config
  readonly estimates: Pick<Estimates, 'gauge' | 'guarded' | 'observe'>
  /** Raises the turn's hold, or answers that there is no room for that. */
  readonly extend: (start: TurnStart, to: Amounts) => Promise<boolean>
}

const FINISH_BY_STOP: Readonly<Record<ModelStopReason, FinishReason>> = {
  end: 'stop',
  length: 'length',
  'tool-use': 'interrupted',
  blocked: 'blocked',
}

export function createInvoke(parts: InvokeParts): (routed: Routed, signal: AbortSignal) => Invocation {
  const { config, telemetry, estimates } = parts
  const limits = { ...config.deadlines, ...config.tokens }
  const fallbacks = { faq: faqIndex(parts.faq), store: config.store }

  return (routed, signal) =>
    async function invocation(emit) {
      const attempts: AttemptRecord[] = [...(routed.begun?.attempts ?? [])]
      const wasBegun = routed.begun !== undefined && routed.begun.text !== ''
      const ended = (finishReason: FinishReason, failure?: string): InvocationEnd => ({
        finishReason,
        attempts,
        ...(failure === undefined ? {} : { failure }),
      })
      let reason = routed.ladder.length === 0 ? 'budget' : 'unknown'
      let isBlocked = false
      // Neither the FAQ nor a message was ever cut off: they are said in one piece.
      if (wasBegun && isWhole(routed)) return ended('stop')
      for (const { index, rung } of inOrder(routed)) {
        // What one model's filter stopped is not tried on another.
        if (signal.aborted || isBlocked) break
        if (!(await isPaidFor(routed, rung, attempts))) {
          reason = 'budget'
          break
        }
        let spoke = false
        const say = (text: string) => {
          if (!spoke) emit(sourceOf(rung, index, reason))
          spoke = true
          emit({ type: 'text-delta', text })
        }
        const context = {
          clock: parts.clock,
          limits,
          number: Math.max(0, ...attempts.map(({ attempt }) => attempt)) + 1,
          gauge: estimates.gauge([rung.name]),
        }
        emit({ type: 'attempt-start', attempt: startOf(context.number, routed, rung) })
        const { end, record, inputTokensTold } = await attempt(context, { ...routed, rung }, { signal, say })
        attempts.push(record)
        if (inputTokensTold !== undefined) estimates.observe(rung.name, routed, inputTokensTold)
        tell(routed, rung, end, record)
        isBlocked = hasBlocked(end)
        // One that begins as the lost one had, and then ends, has said the rest by saying nothing.
        const finishReason = finishOf(end, spoke || (wasBegun && end.kind === 'ended'))
        if (finishReason !== undefined) return ended(finishReason, failureOf(end))
        emit({ type: 'attempt-end', record })
        reason = isBlocked ? 'blocked' : (failureOf(end) ?? 'empty')
      }
      if (signal.aborted) return ended(signal.reason instanceof TurnAbort ? signal.reason.finishReason : 'interrupted')
      if (wasBegun) return ended('interrupted', reason)
      // Whoever brought a prompt of their own asked a model, and is owed its answer or the reason why there is none.
      if (routed.start.completion !== undefined) return ended(isBlocked ? 'blocked' : 'interrupted', reason)
      const { tier, confidence, text } = fallbackFor(fallbacks, routed.start.message, routed.start.language)
      emit({ type: 'source', tier, model: tier, degraded: true, confidence, reason })
      emit({ type: 'text-delta', text })
      return ended(isBlocked ? 'blocked' : 'stop')
    }

  /** The hold is of one call: with what others have used, a further one must be within it too. */
  async function isPaidFor(routed: Routed, rung: Rung, attempts: readonly AttemptRecord[]): Promise<boolean> {
    const used = usedBy(attempts)
    if (!exceeds(used, NOTHING)) return true
    try {
      if (await parts.extend(routed.start, add(used, needOf(routed, rung, parts.estimates)))) return true
    } catch (error) {
      telemetry.log('warn', 'budget.extend-failed', { turnId: routed.start.turnId }, error)
    }
    telemetry.count('budget.not-extended')
    return false
  }

  function tell({ start }: Routed, { model }: Rung, end: AttemptEnd, { outcome, usage }: AttemptRecord): void {
    telemetry.count('model.attempt', { model: model.id, outcome })
    if (end.kind === 'failed') {
      telemetry.log('warn', 'model.failed', { turnId: start.turnId, model: model.id, class: end.class })
    }
    if (end.kind === 'ended' && usage.estimated) telemetry.log('warn', 'model.usage-unknown', { model: model.id })
  }
}

/** The ladder with its places; of a lost answer, first whoever had begun it. */
function inOrder({ begun, ladder }: Routed): readonly { readonly index: number; readonly rung: Rung }[] {
  const rungs = ladder.map((rung, index) => ({ index, rung }))
  const spoke = ({ rung }: (typeof rungs)[number]) => rung.model.id === begun?.meta?.model
  return [...rungs.filter(spoke), ...rungs.filter((entry) => !spoke(entry))]
}

function isWhole({ begun }: Routed): boolean {
  return begun?.meta?.tier === 'faq' || begun?.meta?.tier === 'message'
}

function startOf(attempt: number, { estimatedInputTokens, estimate }: Routed, { model, tier }: Rung) {
  const start = { attempt, model: model.id, tier, estimatedInputTokens }
  return estimate === undefined ? start : { ...start, estimate }
}

/** How the turn ends by this attempt; undefined when the next rung should be tried. */
function finishOf(end: AttemptEnd, spoke: boolean): FinishReason | undefined {
  if (end.kind === 'aborted') return end.abort.finishReason
  if (end.kind === 'over-budget') return 'budget'
  // Granted too little for a single word: another model would fare no better.
  if (!spoke || end.kind === 'misfit') return end.kind === 'ended' && end.stopReason === 'length' ? 'length' : undefined
  if (hasBlocked(end)) return 'blocked'
  return end.kind === 'ended' ? FINISH_BY_STOP[end.stopReason] : 'interrupted'
}

function failureOf(end: AttemptEnd): string | undefined {
  if (end.kind === 'failed') return end.class
  if (end.kind === 'misfit') return 'misfit'
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
