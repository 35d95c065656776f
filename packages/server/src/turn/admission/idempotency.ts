// Decides when two requests are the same. With a client's key the key decides, and the body must be the same; without one,
// the same text in the same session within the double-tap window. Budgets scope it to the principal.
import { createHash } from 'node:crypto'
import type { Config } from '#config/config.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'
import type { Received } from '../turn.ts'

export interface Claim {
  readonly ask: AdmissionAsk['idempotency']
  /** Whether it may have been sent before; absent for a known first sending. */
  readonly repeat?: NonNullable<AdmissionAsk['repeat']>
  /** How long the claim lasts after the turn; undefined when the turn's end does not matter. */
  readonly afterEndMs: number | undefined
}

export function claimOf(received: Received, message: string, config: Pick<Config, 'idempotency' | 'deadlines'>): Claim {
  const { continues, language = null, maxTokens = null, replaces, sessionId = null } = received
  // The replaced or continued turn is part of the request: the same words for another turn are another request. Older
  // nodes do not know these fields.
  const place = continues === undefined ? (replaces === undefined ? [] : [replaces]) : [continues, 'continued']
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([sessionId, message, language, maxTokens, ...place]))
    .digest('base64url')
  if (received.idempotencyKey !== undefined) {
    const { afterEndMs } = config.idempotency
    // Lasts longer than the turn, also when its owner dies and it is settled late.
    const claimMs = config.deadlines[received.route].endMs + afterEndMs
    const ask = { key: `key:${received.idempotencyKey}`, fingerprint, claimMs }
    return { ask, afterEndMs, ...repeatOf(received.attempt ?? 'unknown') }
  }
  // The same words on the page of another series are another question.
  const { productId } = received.page ?? {}
  const key = productId === undefined ? `tap:${fingerprint}` : `tap:${fingerprint}:${productId}`
  return {
    ask: { key, fingerprint, claimMs: config.idempotency.doubleTapMs },
    afterEndMs: undefined,
  }
}

/** A key without an attempt count may be a repeat. */
export function repeatOf(attempt: number | 'unknown'): Pick<AdmissionAsk, 'repeat'> {
  if (attempt === 1) return {}
  return { repeat: attempt === 'unknown' ? 'possible' : 'certain' }
}
