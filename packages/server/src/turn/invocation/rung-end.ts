// How the call of one model ended, in the words of the walk: the turn ends so, or another model should be asked and why.
// Pure. Used by `call-rung.ts`, and by the walk for a turn that was aborted.
import type { FinishReason } from '@mangaassist/protocol'
import type { RungFailure } from '#domain/answers/fallback-plan.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { ModelStopReason } from '#ports/model/port.ts'
import type { Attempted, AttemptEnd } from './attempt.ts'
import type { Entered } from './waiting-queue.ts'

export type RungEnd =
  /** The turn ends so. */
  | { readonly kind: 'finished'; readonly finishReason: FinishReason; readonly failure?: string }
  /** Another should be asked. */
  | {
      readonly kind: 'failed'
      readonly failure: RungFailure
      /** As it is told. */
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

/** It thought until nothing was left to speak with; another model may not. */
const THOUGHT_ONLY: RungEnd = { kind: 'failed', failure: 'empty', reason: 'empty' }

function failedBy(end: Extract<AttemptEnd, { readonly kind: 'failed' }>, hasShown: boolean): RungEnd {
  const { class: failure, retryAfterMs } = end
  // What a filter stopped is not gone on with, neither here nor elsewhere.
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
  // Granted too little for a single word: another model would fare no better.
  if (stopReason === 'length') return { kind: 'finished', finishReason: 'length' }
  if (stopReason === 'blocked') return { kind: 'failed', failure: 'blocked', reason: 'blocked' }
  return { kind: 'failed', failure: 'empty', reason: stopReason === 'tool-use' ? 'tool-use' : 'empty' }
}
