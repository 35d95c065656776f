// Asks the store again for a question that may have been admitted before, until its first word is due. Only the store knows: a node
// that cannot reach it would answer, and charge, the same question a second time.
import { Refusal } from '#domain/refusal.ts'
import { StoreAway } from '#domain/store-away.ts'
import type { Clock } from '#ports/clock.ts'
import { STATE_UNAVAILABLE } from './refusal-for.ts'

const PAUSE_MS = 250

export async function askAgain<Answer>(clock: Clock, until: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isStoreAway(error) || clock.now() + PAUSE_MS > until) throw error
      await clock.sleep(PAUSE_MS)
    }
  }
}

function isStoreAway(error: unknown): boolean {
  if (error instanceof StoreAway) return true
  return error instanceof Refusal && error.details?.['reason'] === STATE_UNAVAILABLE
}
