// A lane that lets every call through: no limit, no circuit, and of retries only what a bucket of constant size allows. What
// most services begin with; here to be compared with, and for nothing else.
import type { Gate } from '@mangaassist/server/domain/lane/gate'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import { laneDefaults } from '@mangaassist/server/domain/lane/settings'
import type { LaneSettings } from '@mangaassist/server/domain/lane/settings'

export interface UnguardedFigures {
  readonly name: string
  /** What retries are paid from; a success earns one. */
  readonly bucket: number
  readonly costs: LaneSettings['retry']['costs']
}

const RETRIES_MAX = 1_000_000_000

export function unguardedPolicy({ name, bucket, costs }: UnguardedFigures): LanePolicy {
  const settings: LaneSettings = {
    ...laneDefaults,
    retry: { ...laneDefaults.retry, bucketMin: bucket, costs },
    limit: { ...laneDefaults.limit, overloadHoldMs: 0 },
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
      retry: { inFlightMax: null, countMax: RETRIES_MAX },
    }),
  }
}
