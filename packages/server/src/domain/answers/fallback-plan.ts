// Plans the steps that follow when no model has answered, by the cause and by the sources that can still answer. Pure, and
// never empty: the last step always works. Invocation takes the steps one by one until one gives an answer.
import type { ModelErrorClass } from '../model/model-part.ts'
import type { Readiness } from '@mangaassist/bookseller/dialogue/readiness'

/** Why no rung of the ladder answered, as one cause. */
export type FallbackCause = 'circuits-open' | 'timeout' | 'blocked' | 'throttled' | 'other'

/** Why one rung did not answer: the error of its last call, or why it was not called. */
export type RungFailure = ModelErrorClass | 'circuit-open' | 'saturated' | 'empty' | 'no-time' | 'budget'

export interface FallbackMeans {
  /** Whether the cache has a stale answer to the same question. */
  readonly hasStale: boolean
  /** Whether the built-in responder could answer; `none` also where it is a rung of the ladder. */
  readonly embedded: Readiness
  /** How well an entry of the FAQ matches; `sure`: the question can hardly mean anything else. */
  readonly faq: 'none' | 'likely' | 'sure'
  /** Whether there is time and an economy model that has not been silent in this turn and whose lane takes calls. */
  readonly canSimplify: boolean
  /** Whether the question may be deferred: it belongs to a conversation, and was not deferred before. */
  readonly canDefer: boolean
}

/** A last attempt with one model, a short prompt, a short answer and little time. */
export interface SimplifiedTry {
  readonly tier: 'economy'
  readonly historyPairsMax: number
  readonly retrievedMax: number
  readonly outputTokensMax: number
  /** From the call to the first word; an answer that has started by then may finish. */
  readonly deadlineMs: number
}

export type FallbackStep =
  | { readonly kind: 'simplified'; readonly attempt: SimplifiedTry }
  | { readonly kind: 'cached' }
  /** The built-in responder answers from the retrieved products. */
  | { readonly kind: 'embedded' }
  | { readonly kind: 'faq' }
  /** Stores the question for later and says so. If it cannot be stored, the next step follows. */
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
  // Blocked content is not answered by another source, neither by another model nor from the cache.
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
      // An answer now is better than one later, but a later answer is better than an uncertain FAQ match.
      const isSure = means.faq === 'sure'
      return [...now, ...(isSure ? faq : []), { kind: 'defer' }, ...(isSure ? [] : faq), message]
    }
  }
}

const REFUSED_BY_LANE: ReadonlySet<RungFailure> = new Set(['circuit-open', 'saturated'])

/** Derives the cause from the failures of the rungs. */
export function causeOf(failures: readonly RungFailure[]): FallbackCause {
  if (failures.includes('blocked')) return 'blocked'
  if (failures.length === 0) return 'other'
  if (failures.every((failure) => failure === 'circuit-open')) return 'circuits-open'
  if (failures.every((failure) => failure === 'throttled' || REFUSED_BY_LANE.has(failure))) return 'throttled'
  return failures.includes('timeout') ? 'timeout' : 'other'
}
