// The priority class of a turn in the queue: premium goes before the others, and a deferred question, which no reader
// awaits, after them.
import type { Priority } from '#domain/queue/fair-queue.ts'
import type { Routed } from '../turn.ts'

export function priorityOf({ start }: Pick<Routed, 'start'>): Priority {
  if (start.deferredFrom !== undefined) return 'low'
  return start.principal.tier === 'premium' ? 'high' : 'normal'
}
