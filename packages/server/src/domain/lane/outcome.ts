// What a finished call says about its lane. After an overload we must send less; a fault only counts towards opening the
// circuit; an error of our own is neutral. Used by the lane's counts and by the retry bucket.
import type { ModelErrorClass } from '../model/model-part.ts'

export type Outcome = 'success' | 'overload' | 'fault' | 'neutral'

const BY_CLASS: Readonly<Record<ModelErrorClass, Outcome>> = {
  throttled: 'overload',
  timeout: 'overload',
  unavailable: 'fault',
  internal: 'fault',
  'stream-broken': 'fault',
  'not-ready': 'fault',
  connection: 'fault',
  invalid: 'neutral',
  'access-denied': 'neutral',
  'not-found': 'neutral',
  'context-too-long': 'neutral',
  blocked: 'neutral',
  cancelled: 'neutral',
}

export function outcomeOf(errorClass: ModelErrorClass): Outcome {
  return BY_CLASS[errorClass]
}
