// Retries a call at the start: a starting process is busy, so that a single late answer says nothing about a store.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'

const START_TRIES_MAX = 5

export async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; tries < START_TRIES_MAX; tries += 1) {
    const answer = await orUnavailable(call)
    if (!(answer instanceof StoreUnavailable)) return answer
  }
  return call()
}
