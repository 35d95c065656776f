// Which failures are retried on the same model, and how often. A failure that a retry cannot fix is not retried, nor is a
// timeout: waiting for a silent model twice would use up the turn's time.
import type { ModelErrorClass } from '../model/model-part.ts'

/** Attempts on one model, including the first. */
const ATTEMPTS: Readonly<Record<ModelErrorClass, number>> = {
  throttled: 3,
  unavailable: 3,
  internal: 3,
  'stream-broken': 3,
  // A cold start ends by itself.
  'not-ready': 3,
  connection: 3,
  timeout: 1,
  invalid: 1,
  'access-denied': 1,
  'not-found': 1,
  'context-too-long': 1,
  blocked: 1,
  cancelled: 1,
}

export function attemptsAfter(errorClass: ModelErrorClass): number {
  return ATTEMPTS[errorClass]
}
