// The shared rates of a node whose fleet's store may go away: while it is, the node has its own part of every bucket.
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface DegradedRateChunksOptions {
  readonly shared: RateChunks
  /** Of this process alone. */
  readonly local: RateChunks
  readonly telemetry: Telemetry
  /** How many share the rates. */
  readonly nodes: number
  /** Whether an error says that the store is away. */
  readonly isUnavailable: (error: unknown) => boolean
}

export function resilientRateChunks({
  isUnavailable,
  local,
  nodes,
  shared,
  telemetry,
}: DegradedRateChunksOptions): RateChunks {
  const partOf = ({ name, perSecond, burst }: RateBucket): RateBucket => ({
    name,
    perSecond: perSecond / nodes,
    burst: Math.max(1, Math.floor(burst / nodes)),
  })
  return {
    async lease(bucket, tokens, operation) {
      try {
        return await shared.lease(bucket, tokens, operation)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        telemetry.count('rates.alone', { bucket: bucket.name })
        return local.lease(partOf(bucket), tokens, operation)
      }
    },
    async giveBack(bucket, tokens, operation) {
      // Whoever did not grant it knows nothing of the operation, and gives nothing.
      await local.giveBack(partOf(bucket), tokens, operation)
      try {
        await shared.giveBack(bucket, tokens, operation)
      } catch (error) {
        if (!isUnavailable(error)) throw error
      }
    },
  }
}
