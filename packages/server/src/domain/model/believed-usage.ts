// Decides which usage is booked for a model call: the provider's figures where they are plausible, our estimate otherwise.
// The only place that decides it, for the calls of turns and for house calls. Pure.
import type { ModelErrorClass } from './model-part.ts'
import type { ReportedUsage } from './model-usage.ts'

export interface UsageEvidence {
  /** Whether the provider's answer began. */
  readonly isStarted: boolean
  /** The class of the error that ended the call; undefined: none did. */
  readonly failure: ModelErrorClass | undefined
  readonly reported: Pick<ReportedUsage, 'inputTokens' | 'outputTokens'>
  readonly estimate: { readonly inputTokens: number; readonly outputTokens: number }
}

export interface BelievedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** At least one of the figures is our estimate. */
  readonly estimated: boolean
}

/** No model takes or produces more than this in one call. */
const TOKENS_PLAUSIBLE_MAX = 10_000_000

/** Errors that a provider answers with before the model begins: nothing was used, and nothing is charged. */
const REFUSED_BEFORE_START: ReadonlySet<ModelErrorClass> = new Set([
  'throttled',
  'unavailable',
  'not-ready',
  // Before a stream started: the vendor could not be reached, or reported the error itself.
  'connection',
  'internal',
  'invalid',
  'access-denied',
  'not-found',
  'context-too-long',
  'blocked',
])

export const NOTHING_USED: BelievedUsage = { inputTokens: 0, outputTokens: 0, estimated: false }

export function believedUsage({ isStarted, failure, reported, estimate }: UsageEvidence): BelievedUsage {
  if (!isStarted && failure !== undefined && REFUSED_BEFORE_START.has(failure)) return NOTHING_USED
  const inputTokens = believedTokens(reported.inputTokens, estimate.inputTokens)
  const outputTokens = believedTokens(reported.outputTokens, estimate.outputTokens)
  return {
    inputTokens: inputTokens ?? estimate.inputTokens,
    outputTokens: outputTokens ?? estimate.outputTokens,
    estimated: inputTokens === undefined || outputTokens === undefined,
  }
}

/** The reported figure, or undefined if it is missing, implausible, or zero although there was text. */
export function believedTokens(reported: number | undefined, estimate: number): number | undefined {
  if (reported === undefined || !(reported >= 0) || reported > TOKENS_PLAUSIBLE_MAX) return undefined
  return reported === 0 && estimate > 0 ? undefined : reported
}
