// Rates of the whole fleet whose store may be unavailable: meanwhile the node has its own part of every bucket.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface ResilientRateChunksOptions {
  readonly shared: RateChunks
  /** Of this process alone. */
  readonly local: RateChunks
  readonly telemetry: Telemetry
  /** How many share the rates. */
  readonly nodes: number
}

export function resilientRateChunks({ local, nodes, shared, telemetry }: ResilientRateChunksOptions): RateChunks {
  const partOf = ({ name, perSecond, burst }: RateBucket): RateBucket => ({
    name,
    perSecond: perSecond / nodes,
    burst: Math.max(1, Math.floor(burst / nodes)),
  })
  return {
    async lease(bucket, tokens, operation) {
      const leased = await orUnavailable(() => shared.lease(bucket, tokens, operation))
      if (!(leased instanceof StoreUnavailable)) return leased
      telemetry.count('rate_standalone_total', { bucket: bucket.name })
      return local.lease(partOf(bucket), tokens, operation)
    },
    async giveBack(bucket, tokens, operation) {
      // The one that did not grant the operation does not know it, and ignores this.
      await local.giveBack(partOf(bucket), tokens, operation)
      await orUnavailable(() => shared.giveBack(bucket, tokens, operation))
    },
  }
}
