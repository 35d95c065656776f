// Plans the steps that follow when no model has answered, by the cause and by the sources that can still answer. Pure, and
// never empty: the last step always works. Invocation takes the steps one by one until one gives an answer.
import type { ModelErrorClass } from '../model/model-part.ts'
import { attemptsAfter } from '../retry/retryable.ts'
import type { Readiness } from '@mangaassist/bookseller/dialogue/readiness'

/**
 * Why no rung of the ladder answered, as one cause. `timeout`: the promise of the first word ended first. `failing`: the models fail in ways that
 * pass. `other`: at least one refuses the question itself, or nothing may be spent.
 */
export type FallbackCause = 'circuits-open' | 'timeout' | 'blocked' | 'throttled' | 'failing' | 'other'

/** Why one rung did not answer: the error of its last call, or why it was not called. */
export type RungFailure = ModelErrorClass | 'circuit-open' | 'saturated' | 'empty' | 'no-time' | 'budget'

export interface FallbackMeans {
  /** Whether the cache has a stale answer to the same question. */
  readonly hasStale: boolean
  /** Whether the built-in responder could answer; `none` also where it is a rung of the ladder. */
  readonly embedded: Readiness
  /** How well an entry of the FAQ matches; `sure`: the question can hardly mean anything else. */
  readonly faq: 'none' | 'likely' | 'sure'
  /** Whether the question may be deferred: it belongs to a conversation, and was not deferred before. */
  readonly canDefer: boolean
}

export type FallbackStep =
  | { readonly kind: 'cached' }
  /** The built-in responder answers from the retrieved products. */
  | { readonly kind: 'embedded' }
  | { readonly kind: 'faq' }
  /** Stores the question for later and says so. If it cannot be stored, the next step follows. */
  | { readonly kind: 'defer' }
  /** Says what the assistant can help with. */
  | { readonly kind: 'redirect' }
  | { readonly kind: 'message' }

export function planFallback(cause: FallbackCause, means: FallbackMeans): readonly FallbackStep[] {
  // Blocked content is not answered by another source, neither by another model nor from the cache.
  if (cause === 'blocked') return [{ kind: 'redirect' }]
  const cached: readonly FallbackStep[] = means.hasStale ? [{ kind: 'cached' }] : []
  const faq: readonly FallbackStep[] = means.faq === 'none' ? [] : [{ kind: 'faq' }]
  const embedded: readonly FallbackStep[] = means.embedded === 'none' ? [] : [{ kind: 'embedded' }]
  const now = [...cached, ...embedded]
  const message = { kind: 'message' } as const
  // A model may answer later, unless it has refused the question itself.
  if (cause === 'other' || !means.canDefer) return [...now, ...faq, message]
  // An answer now is better than one later, but a later answer is better than an uncertain FAQ match.
  const isSure = means.faq === 'sure'
  return [...now, ...(isSure ? faq : []), { kind: 'defer' }, ...(isSure ? [] : faq), message]
}

const REFUSED_BY_LANE: ReadonlySet<RungFailure> = new Set(['circuit-open', 'saturated'])
const TOO_LATE: ReadonlySet<RungFailure> = new Set(['timeout', 'no-time'])
const LASTING: ReadonlySet<RungFailure> = new Set(['empty', 'budget'])

/** Derives the cause from the failures of the rungs. */
export function causeOf(failures: readonly RungFailure[]): FallbackCause {
  if (failures.includes('blocked')) return 'blocked'
  if (failures.length === 0) return 'other'
  if (failures.every((failure) => failure === 'circuit-open')) return 'circuits-open'
  if (failures.every((failure) => failure === 'throttled' || REFUSED_BY_LANE.has(failure))) return 'throttled'
  if (failures.some((failure) => TOO_LATE.has(failure))) return 'timeout'
  return failures.every(passes) ? 'failing' : 'other'
}

function passes(failure: RungFailure): boolean {
  if (LASTING.has(failure)) return false
  return REFUSED_BY_LANE.has(failure) || TOO_LATE.has(failure) || attemptsAfter(failure as ModelErrorClass) > 1
}
