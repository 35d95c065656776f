// Tasks of one process, for one machine, tests and simulations.
import { TASK_KEEP_MS } from '#ports/tasks/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface MemoryTasksOptions {
  readonly clock: Pick<Clock, 'now'>
}

interface Entry {
  readonly owner: string
  readonly until: number
  readonly usedAt: number
  readonly progress: string | undefined
}

export function memoryTasks({ clock }: MemoryTasksOptions): Tasks {
  const entries = new Map<string, Entry>()
  const sweep = (now: number) => {
    for (const [task, { usedAt }] of entries) if (now - usedAt >= TASK_KEEP_MS) entries.delete(task)
  }
  return {
    async take(task, { owner, leaseMs }) {
      const now = clock.now()
      sweep(now)
      const entry = entries.get(task)
      if (entry !== undefined && entry.owner !== owner && entry.until > now) return undefined
      entries.set(task, { owner, until: now + leaseMs, usedAt: now, progress: entry?.progress })
      return { progress: entry?.progress }
    },
    async save(task, progress, { owner, leaseMs }) {
      const now = clock.now()
      const entry = entries.get(task)
      if (entry === undefined || entry.owner !== owner || entry.until <= now) return false
      entries.set(task, { owner, until: now + leaseMs, usedAt: now, progress })
      return true
    },
  }
}
