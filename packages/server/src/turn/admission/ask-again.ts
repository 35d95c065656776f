// Asks the store again about a possible repeat, until its first word is promised. Only the store knows the key: a node that
// cannot reach it would answer, and charge, the same question a second time.
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { STATE_UNAVAILABLE } from './refusal-for.ts'

const PAUSE_MS = 250
/** A refusal with a shorter retry time than this is retried here; a caller that has waited gets this one. */
const SOON_MS = 1000

export async function askAgain<Answer>(
  clock: Clock,
  until: number,
  ask: (tries: number) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(tries)
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      if (clock.now() + PAUSE_MS > until) throw notAtOnce(error)
      await clock.sleep(PAUSE_MS)
    }
  }
}

function notAtOnce(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const { code, details, retryAfterMs = 0 } = error
  return new Refusal(code, { retryAfterMs: Math.max(SOON_MS, retryAfterMs), ...(details && { details }), cause: error })
}

function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  if (!(error instanceof Refusal) || error.details?.['reason'] !== STATE_UNAVAILABLE) return false
  return (error.retryAfterMs ?? 0) <= SOON_MS
}
