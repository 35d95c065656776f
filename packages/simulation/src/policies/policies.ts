// The policies that runs are compared by. They differ only in the lane policy, the retry delays and whether a second model is asked beside
// a slow one, which ours alone does; deadlines, ladder and fallbacks are the same for all.
import type { Config } from '@mangaassist/server/config/config'
import type { LanePolicy } from '@mangaassist/server/domain/lane/policy'
import type { PolicyName } from '../fleet/fleet-run.ts'
import { unguardedPolicy } from './unguarded-policy.ts'

export interface FleetPolicy {
  readonly name: PolicyName
  /** One sentence for reports. */
  readonly about: string
  readonly config: (base: Config) => Config
  /** Replaces the lane policy of the settings. Every node then counts for itself, as an SDK in a process does. */
  readonly lane?: LanePolicy
}

const withoutHedges = (base: Config): Config => ({ ...base, hedge: { ...base.hedge, enabled: false } })

const FREE = { throttle: 0, quick: 0, slow: 0 }
/** The retry quota of AWS SDKs in their standard mode since 2026. */
const SDK_BUCKET = 500
const SDK_COSTS = { throttle: 5, quick: 14, slow: 14 }

export const policies: Readonly<Record<PolicyName, FleetPolicy>> = {
  naive: {
    name: 'naive',
    about: 'Three tries a model, doubling from a second, all in step; nothing limits anything.',
    config: (base) => ({ ...withoutHedges(base), retries: { ...base.retries, delays: 'controller', jitter: 'none' } }),
    lane: unguardedPolicy({ name: 'naive', bucket: 1, costs: FREE }),
  },
  sdk: {
    name: 'sdk',
    about: 'As an AWS SDK does: three tries with full jitter, paid from a bucket of 500 in each process.',
    config: (base) => ({ ...withoutHedges(base), retries: { ...base.retries, delays: 'controller', jitter: 'full' } }),
    lane: unguardedPolicy({ name: 'sdk', bucket: SDK_BUCKET, costs: SDK_COSTS }),
  },
  reference: {
    name: 'reference',
    about: 'Pressure levels, 100 retries in ten seconds, circuits by count or rate that stay open for 30 to 60 s.',
    config: (base) => ({
      ...withoutHedges(base),
      lanes: { ...base.lanes, policy: 'reference' },
      retries: { ...base.retries, delays: 'pressure' },
    }),
  },
  ours: {
    name: 'ours',
    about: 'An adaptive in-flight limit, a retry bucket filled by successes, circuits that look again within seconds.',
    config: (base) => base,
  },
}
