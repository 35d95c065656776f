// The retry budget of a lane: successes fill the bucket, and a retry costs by what went wrong. In an outage there are hardly any
// successes, so retries stop by themselves; a constant budget would be too small for a busy hour and too large for a quiet one.
// Time refills it slowly too: a lane with one call per minute would otherwise have no retries for hours after a few failures.
import type { ModelErrorClass } from '../model/model-part.ts'
import { sumSince } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import { RETRY_WINDOW_MS } from './gate.ts'
import type { RetryGate } from './gate.ts'
import type { LaneSettings } from './settings.ts'
import type { LaneState } from './state.ts'

type RetrySettings = LaneSettings['retry']

/** A call that was silent or broke off used the provider's time and ours, so its retry costs more than that of a refused call. */
export function retryCost(
  failed: { class: ModelErrorClass; tookMs: number },
  { costs, quickMs }: RetrySettings,
): number {
  if (failed.class === 'throttled') return costs.throttle
  if (failed.class === 'timeout' || failed.class === 'stream-broken') return costs.slow
  return failed.tookMs <= quickMs ? costs.quick : costs.slow
}

/** The success rate is averaged over this many times `bucketMs`: over a single one it would fluctuate too much. */
const RATE_SPANS = 5

export function bucketMax(counts: LaneCounts, now: number, settings: RetrySettings): number {
  const { successes } = sumSince(counts.cells, now - RATE_SPANS * settings.bucketMs)
  return Math.max(settings.bucketMin, Math.round(successes / RATE_SPANS))
}

/** The refill by time since the last one, in whole units, because the counters in Redis hold no fractions. */
export function refilledByTime(
  { refilledAt }: LaneState,
  now: number,
  { refillEveryMs }: RetrySettings,
): Pick<LaneState, 'refill' | 'refilledAt'> {
  const refill = Math.max(0, Math.floor((now - refilledAt) / refillEveryMs))
  return { refill, refilledAt: refilledAt + refill * refillEveryMs }
}

export function retryGate(
  counts: LaneCounts,
  now: number,
  { settings, limit }: { readonly settings: RetrySettings; readonly limit: number | null },
): RetryGate {
  const { firsts } = sumSince(counts.cells, now - RETRY_WINDOW_MS)
  const shareMax = Math.max(settings.countFloor, Math.floor(firsts * settings.share))
  return {
    inFlightMax: limit === null ? null : limit * settings.inFlightShare,
    countMax: Math.min(settings.countMax, shareMax),
  }
}
