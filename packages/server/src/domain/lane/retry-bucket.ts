// What retries are paid from: successes earn, retries cost by what went wrong. In an outage next to nothing is earned, so
// retries end by themselves; a constant budget would be too small for a busy hour and too large for a quiet one. Time earns a
// little too: a lane with a call a minute would otherwise go without retries for hours after one bad moment.
import type { ModelErrorClass } from '../model/model-part.ts'
import { sumSince } from './cells.ts'
import type { LaneCounts } from './counts.ts'
import { RETRY_WINDOW_MS } from './gate.ts'
import type { RetryGate } from './gate.ts'
import type { LaneSettings } from './settings.ts'
import type { LaneState } from './state.ts'

type RetrySettings = LaneSettings['retry']

/** A silent or broken call used up the provider's time as well as ours, so it costs more than one that was turned away. */
export function retryCost(
  failed: { class: ModelErrorClass; tookMs: number },
  { costs, quickMs }: RetrySettings,
): number {
  if (failed.class === 'throttled') return costs.throttle
  if (failed.class === 'timeout' || failed.class === 'stream-broken') return costs.slow
  return failed.tookMs <= quickMs ? costs.quick : costs.slow
}

/** By a rate over some more time than it is for: by its own two seconds alone it would go up and down with chance. */
const RATE_SPANS = 5

export function bucketMax(counts: LaneCounts, now: number, settings: RetrySettings): number {
  const { successes } = sumSince(counts.cells, now - RATE_SPANS * settings.bucketMs)
  return Math.max(settings.bucketMin, Math.round(successes / RATE_SPANS))
}

/** What time has added since the last refill, in whole units: the counters of a shared lane hold no fractions. */
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
