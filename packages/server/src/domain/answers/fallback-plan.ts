// What is done when no model has answered: by what went wrong, in which order, out of what there is. Pure, and never
// empty: the last step always works. Used by invocation, which takes the steps one by one until one gives an answer.
import type { ModelErrorClass } from '../model/model-part.ts'
import type { Readiness } from '@mangaassist/bookseller/responder/readiness'

/** Why nobody on the ladder answered, taken together. */
export type FallbackCause = 'circuits-open' | 'timeout' | 'blocked' | 'throttled' | 'other'

/** Why one rung did not answer: what its last call ended with, or why it was not called. */
export type RungFailure = ModelErrorClass | 'circuit-open' | 'saturated' | 'empty' | 'no-time' | 'budget'

export interface FallbackMeans {
  /** There is a stale answer to the same question. */
  readonly hasStale: boolean
  /** Whether the built-in responder, where it is no rung of the ladder, could answer. */
  readonly embedded: Readiness
  /** An entry of the FAQ matches; `sure` when hardly anything else can be meant. */
  readonly faq: 'none' | 'likely' | 'sure'
  /** An economy model that has not been silent in this turn, whose lane takes calls, and time enough to ask it. */
  readonly canSimplify: boolean
  /** The question may be kept for later: there is a conversation to answer into, and it was not kept before. */
  readonly canDefer: boolean
}

/** A last small try: one model, a short prompt, a short answer, little time. */
export interface SimplifiedTry {
  readonly tier: 'economy'
  /** No history; the best entry of what was retrieved. */
  readonly historyPairsMax: number
  readonly retrievedMax: number
  readonly outputTokensMax: number
  /** From the call to its first word; what has begun by then may end. */
  readonly deadlineMs: number
}

export type FallbackStep =
  | { readonly kind: 'simplified'; readonly attempt: SimplifiedTry }
  | { readonly kind: 'cached' }
  /** The built-in responder, from what was retrieved. */
  | { readonly kind: 'embedded' }
  | { readonly kind: 'faq' }
  /** Keep the question and say so. Should it not be taken, the next step is. */
  | { readonly kind: 'defer' }
  /** Says what the assistant can help with. */
  | { readonly kind: 'redirect' }
  | { readonly kind: 'message' }

export const SIMPLIFIED: SimplifiedTry = {
  tier: 'economy',
  historyPairsMax: 0,
  retrievedMax: 1,
  outputTokensMax: 200,
  deadlineMs: 5000,
}

export function planFallback(cause: FallbackCause, means: FallbackMeans): readonly FallbackStep[] {
  // What a filter stopped is not routed around, neither by another model nor by an answer of before.
  if (cause === 'blocked') return [{ kind: 'redirect' }]
  const cached: readonly FallbackStep[] = means.hasStale ? [{ kind: 'cached' }] : []
  const faq: readonly FallbackStep[] = means.faq === 'none' ? [] : [{ kind: 'faq' }]
  const embedded: readonly FallbackStep[] = means.embedded === 'none' ? [] : [{ kind: 'embedded' }]
  const now = [...cached, ...embedded]
  const message = { kind: 'message' } as const
  switch (cause) {
    case 'circuits-open':
    case 'other':
      return [...now, ...faq, message]
    case 'timeout':
      return [
        ...(means.canSimplify ? [{ kind: 'simplified', attempt: SIMPLIFIED } as const] : []),
        ...now,
        ...faq,
        message,
      ]
    case 'throttled': {
      if (!means.canDefer) return [...now, ...faq, message]
      // An answer now is better than one later; a guess at one is not.
      const isSure = means.faq === 'sure'
      return [...now, ...(isSure ? faq : []), { kind: 'defer' }, ...(isSure ? [] : faq), message]
    }
  }
}

const REFUSED_BY_LANE: ReadonlySet<RungFailure> = new Set(['circuit-open', 'saturated'])

/** The cause by how each rung of the ladder failed, in their order. */
export function causeOf(failures: readonly RungFailure[]): FallbackCause {
  if (failures.includes('blocked')) return 'blocked'
  if (failures.length === 0) return 'other'
  if (failures.every((failure) => failure === 'circuit-open')) return 'circuits-open'
  if (failures.every((failure) => failure === 'throttled' || REFUSED_BY_LANE.has(failure))) return 'throttled'
  return failures.includes('timeout') ? 'timeout' : 'other'
}
