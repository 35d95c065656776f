// The class of a turn in the line: nobody waits for a deferred question, and premium goes before the others.
import type { Priority } from '#domain/queue/fair-queue.ts'
import type { Routed } from '../turn.ts'

export function priorityOf({ start }: Pick<Routed, 'start'>): Priority {
  if (start.deferredFrom !== undefined) return 'low'
  return start.principal.tier === 'premium' ? 'high' : 'normal'
}
