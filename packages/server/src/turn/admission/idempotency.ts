// What makes two requests the same. With a key of the client's, the key does, and it must come with the same
// body; without one, the same text in the same session within the double-tap window does. Scoped to the
// principal by shared state.
import { createHash } from 'node:crypto'
import type { Config } from '#config/config.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'
import type { Received } from '../turn.ts'

export interface Claim {
  readonly ask: AdmissionAsk['idempotency']
  /** Whether it may have been sent before; absent for what is known to be the first. */
  readonly repeat?: NonNullable<AdmissionAsk['repeat']>
  /** How long the claim outlives the turn; undefined when its end does not matter. */
  readonly afterEndMs: number | undefined
}

export function claimOf(received: Received, message: string, config: Pick<Config, 'idempotency' | 'deadlines'>): Claim {
  const fingerprint = createHash('sha256')
    .update(
      JSON.stringify([received.sessionId ?? null, message, received.language ?? null, received.maxTokens ?? null]),
    )
    .digest('base64url')
  if (received.idempotencyKey !== undefined) {
    const { afterEndMs } = config.idempotency
    // Outlives the turn also when its owner dies and nobody settles it for a while.
    const claimMs = config.deadlines[received.route].endMs + afterEndMs
    const ask = { key: `key:${received.idempotencyKey}`, fingerprint, claimMs }
    return { ask, afterEndMs, ...repeatOf(received.attempt ?? 'unknown') }
  }
  return {
    ask: { key: `tap:${fingerprint}`, fingerprint, claimMs: config.idempotency.doubleTapMs },
    afterEndMs: undefined,
  }
}

/** A key that comes without a count may be a repeat. */
export function repeatOf(attempt: number | 'unknown'): Pick<AdmissionAsk, 'repeat'> {
  if (attempt === 1) return {}
  return { repeat: attempt === 'unknown' ? 'possible' : 'certain' }
}
