// The story of a delivered turn, for its record.
import { quotaWarning } from '#domain/budget/quota-view.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { RETRIEVED_MAX } from '#domain/turn/turn-story.ts'
import type { TurnStory } from '#domain/turn/turn-story.ts'
import type { InvocationEnd, Routed } from '../turn.ts'

interface Delivery {
  readonly end: InvocationEnd
  readonly invocationMs: number
  readonly deliveryMs: number
  /** The turn's own signal: its reason says why it was stopped. */
  readonly signal: AbortSignal
}

export function turnStoryOf(routed: Routed, { deliveryMs, end, invocationMs, signal }: Delivery): TurnStory {
  const { estimateBy, firstChoice, grounding, policy, quota, start, times = {} } = routed
  const stop = signal.reason instanceof TurnAbort ? signal.reason.abortCause : undefined
  const ids = (entries: readonly { readonly id: string }[]) => entries.slice(0, RETRIEVED_MAX).map(({ id }) => id)
  return {
    stages: { ...times, invocationMs, deliveryMs },
    ...(policy.isGrounded ? { retrieved: { products: ids(grounding.products), faq: ids(grounding.faq) } } : {}),
    ...(firstChoice === undefined ? {} : { firstChoice }),
    ...(estimateBy === undefined ? {} : { estimate: estimateBy }),
    ...(end.passed === undefined ? {} : { passed: end.passed }),
    ...(stop === 'stopped' || stop === 'unread' || stop === 'timeout' ? { stop } : {}),
    ...(quotaWarning(quota, start.language) === undefined ? {} : { quotaWarned: true }),
  }
}
