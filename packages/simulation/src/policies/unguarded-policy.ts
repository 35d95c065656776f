// A lane policy without limit or circuit: only a token bucket of constant size bounds retries. Most services start with
// this; it exists only as a baseline for comparisons.
import type { Gate } from '@mangaassist/server/domain/lane/gate'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import { laneDefaults } from '@mangaassist/server/domain/lane/settings'
import type { LaneSettings } from '@mangaassist/server/domain/lane/settings'

export interface UnguardedFigures {
  readonly name: string
  /** Capacity of the bucket that retries are paid from; a success adds one token. */
  readonly bucket: number
  readonly costs: LaneSettings['retry']['costs']
}

const RETRIES_MAX = 1_000_000_000

export function unguardedPolicy({ name, bucket, costs }: UnguardedFigures): LanePolicy {
  const settings: LaneSettings = {
    ...laneDefaults,
    retry: { ...laneDefaults.retry, bucketMin: bucket, costs },
    limit: { ...laneDefaults.limit, overloadHoldMs: 0, silentHoldMs: 0 },
  }
  return {
    name,
    settings,
    tick: (state, _, { now }) => ({ ...state, tickedAt: Math.max(now, state.tickedAt) }),
    gate: ({ epoch }): Gate => ({
      kind: 'free',
      epoch,
      bucketMax: bucket,
      refill: 0,
      limit: null,
      overloadsMax: null,
      startsMax: null,
      retry: { inFlightMax: null, countMax: RETRIES_MAX },
    }),
  }
}
