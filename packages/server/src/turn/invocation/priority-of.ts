// The priority class of a turn in the queue: premium goes before the others, and a deferred question, which no reader
// awaits, after them.
import type { Priority } from '#domain/queue/fair-queue.ts'
import type { Routed } from '../turn.ts'

export function priorityOf({ start }: Pick<Routed, 'start'>): Priority {
  return start.deferredFrom === undefined ? priorityOfTier(start.principal.tier) : 'low'
}

export function priorityOfTier(tier: string): Priority {
  return tier === 'premium' ? 'high' : 'normal'
}
