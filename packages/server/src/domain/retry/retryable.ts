// Which failures are retried on the same model, and how often. A failure that a retry cannot fix is not retried, nor is a
// timeout: waiting for a silent model twice would use up the turn's time.
import type { ModelErrorClass } from '../model/model-part.ts'

const RETRYABLE: Readonly<Record<ModelErrorClass, boolean>> = {
  throttled: true,
  unavailable: true,
  internal: true,
  'stream-broken': true,
  // A cold start ends by itself.
  'not-ready': true,
  connection: true,
  timeout: false,
  invalid: false,
  'access-denied': false,
  'not-found': false,
  'context-too-long': false,
  blocked: false,
  cancelled: false,
}

/** Attempts of one model in all, including the first. */
const ATTEMPTS_USUAL = 3

/** How many attempts a failure of this class allows in all, including the first. */
export function attemptsAfter(errorClass: ModelErrorClass, attemptsMax = ATTEMPTS_USUAL): number {
  return RETRYABLE[errorClass] ? attemptsMax : 1
}
