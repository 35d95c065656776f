// Shared rates of one process: for one machine, for tests, and for a node whose shared store is unavailable.
import { putBack, takeUpTo } from '#lib/rates/leaky-bucket.ts'
import type { BucketLevel } from '#lib/rates/leaky-bucket.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { sweepFront } from '#lib/collections/sweep-front.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'

/** How long a repeated operation is recognised, and its chunk can be returned. */
const OPERATION_MS = 10_000
const SWEEP_MAX = 4
/** How many buckets of single callers are stored; the one that was used longest ago is forgotten. */
const CALLERS_MAX = 10_000

export function memoryRateChunks({ clock }: { readonly clock: Pick<Clock, 'now'> }): RateChunks {
  const shared = new Map<string, BucketLevel>()
  const ofCallers = new BoundedMap<string, BucketLevel>(CALLERS_MAX)
  const placeOf = ({ name, of }: RateBucket) =>
    of === undefined ? { key: name, levels: shared } : { key: `${name} ${of}`, levels: ofCallers }
  const taken = new Map<string, { readonly at: number; readonly granted: number }>()

  return {
    async lease(bucket, tokens, operation) {
      const now = clock.now()
      sweepFront(taken, ({ at }) => at + OPERATION_MS <= now, SWEEP_MAX)
      const { key, levels } = placeOf(bucket)
      const before = taken.get(`${key} ${operation}`)
      if (before !== undefined) return { granted: before.granted, retryAfterMs: 0 }
      const { granted, level, retryAfterMs } = takeUpTo(bucket, levels.get(key), { tokens, now })
      if (level !== undefined) levels.set(key, level)
      if (granted > 0) taken.set(`${key} ${operation}`, { at: now, granted })
      return { granted, retryAfterMs }
    },
    async giveBack(bucket, tokens, operation) {
      const { key, levels } = placeOf(bucket)
      const [lease, level] = [taken.get(`${key} ${operation}`), levels.get(key)]
      taken.delete(`${key} ${operation}`)
      if (lease === undefined || level === undefined) return
      levels.set(key, putBack(bucket, level, { tokens: Math.min(tokens, lease.granted), takenAt: lease.at }))
    },
  }
}
