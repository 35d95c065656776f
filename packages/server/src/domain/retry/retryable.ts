// Which failures are worth another try, and how often on the same model. What a second try cannot mend is not tried; a
// model that stayed silent is not waited for twice.
import type { ModelErrorClass } from '../model/model-part.ts'

/** Attempts on one model, the first included. */
const ATTEMPTS: Readonly<Record<ModelErrorClass, number>> = {
  throttled: 3,
  unavailable: 3,
  internal: 3,
  'stream-broken': 3,
  // A cold start passes.
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
