// A rate of one caller, over all nodes: of a proven one by its id, of guests and members of the demo by their network, because a new
// cookie is no new person.
import { isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Random } from '#ports/random/port.ts'
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'

export interface CallerLimitParts {
  readonly rateChunks: Pick<RateChunks, 'lease'>
  readonly random: Random
  /** The name under which a caller is stored; absent: its own. */
  readonly pseudonymOf?: ((caller: string) => string) | undefined
}

/** Takes one; returns 0, or the time until there is one again. */
export type TakeOfCaller = (principal: Principal, network: string) => Promise<number>

export function callerLimit(
  { pseudonymOf = (caller) => caller, random, rateChunks }: CallerLimitParts,
  bucket: Omit<RateBucket, 'of'>,
): TakeOfCaller {
  return async (principal, network) => {
    const of = pseudonymOf(isUnproven(principal) ? network : principal.id)
    const { granted, retryAfterMs } = await rateChunks.lease({ ...bucket, of }, 1, random.id('op'))
    return granted > 0 ? 0 : Math.max(1, retryAfterMs)
  }
}
