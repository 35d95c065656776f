// Rates that the whole cluster shares and whose store may be unavailable: a standalone node uses its share of every bucket.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface ResilientRateChunksOptions {
  readonly shared: RateChunks
  /** Buckets in this process, for while the node is standalone. */
  readonly local: RateChunks
  readonly telemetry: Telemetry
  /** How many nodes share the rates, as of now. */
  readonly nodes: () => number
}

export function resilientRateChunks({ local, nodes, shared, telemetry }: ResilientRateChunksOptions): RateChunks {
  const partOf = ({ burst, perSecond, ...named }: RateBucket): RateBucket => {
    const sharing = nodes()
    return { ...named, perSecond: perSecond / sharing, burst: Math.max(1, Math.floor(burst / sharing)) }
  }
  return {
    async lease(bucket, tokens, operation) {
      const leased = await orUnavailable(() => shared.lease(bucket, tokens, operation))
      if (!(leased instanceof StoreUnavailable)) return leased
      telemetry.count('rate_standalone_total', { bucket: bucket.name })
      return local.lease(partOf(bucket), tokens, operation)
    },
    async giveBack(bucket, tokens, operation) {
      // Sent to both: the one that did not grant the operation ignores it.
      await local.giveBack(partOf(bucket), tokens, operation)
      await orUnavailable(() => shared.giveBack(bucket, tokens, operation))
    },
  }
}
