// Shared rates of one process: for one machine, for tests, and for a node whose shared store is unavailable.
import { putBack, takeUpTo } from '#lib/rates/leaky-bucket.ts'
import type { BucketLevel } from '#lib/rates/leaky-bucket.ts'
import { sweepFront } from '#lib/collections/sweep-front.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RateChunks } from '#ports/rate-chunks/port.ts'

/** How long a repeated operation is recognised, and its chunk can be returned. */
const OPERATION_MS = 10_000
const SWEEP_MAX = 4

export function memoryRateChunks({ clock }: { readonly clock: Pick<Clock, 'now'> }): RateChunks {
  const levels = new Map<string, BucketLevel>()
  const taken = new Map<string, { readonly at: number; readonly granted: number }>()

  return {
    async lease(bucket, tokens, operation) {
      const now = clock.now()
      sweepFront(taken, ({ at }) => at + OPERATION_MS <= now, SWEEP_MAX)
      const key = `${bucket.name} ${operation}`
      const before = taken.get(key)
      if (before !== undefined) return { granted: before.granted, retryAfterMs: 0 }
      const { granted, level, retryAfterMs } = takeUpTo(bucket, levels.get(bucket.name), { tokens, now })
      if (level !== undefined) levels.set(bucket.name, level)
      if (granted > 0) taken.set(key, { at: now, granted })
      return { granted, retryAfterMs }
    },
    async giveBack(bucket, tokens, operation) {
      const key = `${bucket.name} ${operation}`
      const [lease, level] = [taken.get(key), levels.get(bucket.name)]
      taken.delete(key)
      if (lease === undefined || level === undefined) return
      levels.set(bucket.name, putBack(bucket, level, { tokens: Math.min(tokens, lease.granted), takenAt: lease.at }))
    },
  }
}
