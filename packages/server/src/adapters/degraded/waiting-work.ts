// What a node has yet to do in its fleet's store: keys to claim, charges to make, holds to give back. Each waits in memory, bounded,
// and is tried again until it is through.
import { RetryLater } from '#lib/retry-later.ts'
import type { Clock } from '#ports/clock.ts'
import type { Telemetry } from '#ports/telemetry.ts'

const CLAIMS_MAX = 50_000
/** Claims are written as soon as possible: until then a repeat on another node cannot be recognised. */
const CLAIM_PAUSE_MAX_MS = 250
const SETTLEMENTS_MAX = 50_000
const RELEASES_MAX = 5000

export function waitingWork(timers: Clock, telemetry: Telemetry) {
  const claims = new RetryLater({
    timers,
    entriesMax: CLAIMS_MAX,
    pauseMaxMs: CLAIM_PAUSE_MAX_MS,
    onGivenUp: () => telemetry.count('state.claim-lost'),
  })
  const settlements = new RetryLater({
    timers,
    entriesMax: SETTLEMENTS_MAX,
    onGivenUp: (what) => telemetry.log('error', 'state.settlement-lost', { what }),
  })
  const releases = new RetryLater({
    timers,
    entriesMax: RELEASES_MAX,
    // Its hold expires by itself.
    onGivenUp: () => telemetry.count('state.release-lost'),
  })
  return { claims, settlements, releases }
}
