// What a finished call says about its lane. After an overload, a refusal for load, we must send less; a silent call makes the lane's calls slower; a fault only
// counts towards opening the circuit, as these two do as well; an error of our own is neutral. Used by the lane's counts and by the retry bucket.
import type { ModelErrorClass } from '../model/model-part.ts'

/** What counts towards opening the circuit. */
export type Failure = 'overload' | 'silent' | 'fault'
export type Outcome = 'success' | Failure | 'neutral'

export function isFailure(outcome: Outcome): outcome is Failure {
  return outcome !== 'success' && outcome !== 'neutral'
}

const BY_CLASS: Readonly<Record<ModelErrorClass, Outcome>> = {
  throttled: 'overload',
  timeout: 'silent',
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
