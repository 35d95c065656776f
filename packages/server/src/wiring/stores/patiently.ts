// Retries a call at the start: a starting process is busy, so that a few late answers say nothing about a store. Late answers open the
// circuit of the store, which refuses further calls at once: then the call waits until the circuit lets one through.
import { systemClock } from '#adapters/system/clock.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'

const START_TRIES_MAX = 5
const REFUSED_PAUSE_MS = 100
/** Together ten seconds: a circuit of a store is open for at most two. */
const REFUSALS_MAX = 100

export async function patiently<Answer>(call: () => Promise<Answer>, clock = systemClock()): Promise<Answer> {
  for (let tries = 1, refusals = 0; tries < START_TRIES_MAX;) {
    const answer = await orUnavailable(call)
    if (!(answer instanceof StoreUnavailable)) return answer
    if (isRefused(answer) && refusals < REFUSALS_MAX) {
      refusals += 1
      await clock.sleep(REFUSED_PAUSE_MS)
    } else tries += 1
  }
  return call()
}

/** Whether the circuit refused the call; a call that failed has a cause. */
function isRefused({ cause, mayHaveHappened }: StoreUnavailable): boolean {
  return !mayHaveHappened && cause === undefined
}
