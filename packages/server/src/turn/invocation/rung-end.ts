// How the call of one model ended, for the walk: the turn ends, or another model should be asked and why. Pure. Used by
// `call-rung.ts`, and by the walk for an aborted turn.
import type { FinishReason } from '@mangaassist/protocol'
import type { RungFailure } from '#domain/answers/fallback-plan.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { ModelStopReason } from '#ports/model/port.ts'
import type { Attempted, AttemptEnd } from './attempt.ts'
import type { Entered } from './waiting-queue.ts'

export type RungEnd =
  /** The turn ends with this. */
  | { readonly kind: 'finished'; readonly finishReason: FinishReason; readonly failure?: string }
  /** Another model should be asked. */
  | {
      readonly kind: 'failed'
      readonly failure: RungFailure
      /** As in the answer's `reason`. */
      readonly reason: string
      readonly retryAfterMs?: number
    }

const FINISH_BY_STOP: Readonly<Record<ModelStopReason, FinishReason>> = {
  end: 'stop',
  length: 'length',
  'tool-use': 'interrupted',
  blocked: 'blocked',
}

export function notEntered(entered: Exclude<Entered, { readonly kind: 'permit' }>, signal: AbortSignal): RungEnd {
  switch (entered.kind) {
    case 'refused': {
      const failure = entered.why === 'open' || entered.why === 'probing' ? 'circuit-open' : 'saturated'
      const { retryAfterMs } = entered
      return { kind: 'failed', failure, reason: failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    case 'full':
      return { kind: 'failed', failure: 'saturated', reason: 'queue-full', retryAfterMs: entered.retryAfterMs }
    case 'late':
      return { kind: 'failed', failure: 'saturated', reason: 'saturated' }
    case 'left':
      return signal.aborted ? abortedBy(signal) : { kind: 'failed', failure: 'saturated', reason: 'saturated' }
  }
}

export function abortedBy({ reason }: AbortSignal): Extract<RungEnd, { readonly kind: 'finished' }> {
  return { kind: 'finished', finishReason: reason instanceof TurnAbort ? reason.finishReason : 'interrupted' }
}

export function endOf({ end, spoke, thought }: Attempted, hasShown: boolean): RungEnd {
  switch (end.kind) {
    case 'aborted':
      return { kind: 'finished', finishReason: end.abort.finishReason }
    case 'over-budget':
      return spoke ? { kind: 'finished', finishReason: 'budget' } : THOUGHT_ONLY
    case 'misfit':
      return { kind: 'failed', failure: 'stream-broken', reason: 'misfit' }
    case 'failed':
      return failedBy(end, hasShown)
    case 'ended':
      return endedBy(end.stopReason, { hasWords: spoke && hasShown, thought })
  }
}

/** It used up its grant by thinking; another model may not. */
const THOUGHT_ONLY: RungEnd = { kind: 'failed', failure: 'empty', reason: 'empty' }

function failedBy(end: Extract<AttemptEnd, { readonly kind: 'failed' }>, hasShown: boolean): RungEnd {
  const { class: failure, retryAfterMs } = end
  // Blocked content is not continued, neither here nor elsewhere.
  if (failure === 'blocked' && hasShown) return { kind: 'finished', finishReason: 'blocked' }
  return { kind: 'failed', failure, reason: failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

function endedBy(
  stopReason: ModelStopReason,
  { hasWords, thought }: { readonly hasWords: boolean; readonly thought: boolean },
): RungEnd {
  if (hasWords) {
    const failure = stopReason === 'tool-use' ? { failure: 'tool-use' } : {}
    return { kind: 'finished', finishReason: FINISH_BY_STOP[stopReason], ...failure }
  }
  if (stopReason === 'length' && thought) return THOUGHT_ONLY
  // The grant is too small for any text: another model would not do better.
  if (stopReason === 'length') return { kind: 'finished', finishReason: 'length' }
  if (stopReason === 'blocked') return { kind: 'failed', failure: 'blocked', reason: 'blocked' }
  return { kind: 'failed', failure: 'empty', reason: stopReason === 'tool-use' ? 'tool-use' : 'empty' }
}
