// A call that we ended before its first word: another model spoke first, or the promise of the first word needed another.
// Who pays for it, and whether it counts against its lane.
import { isPromised } from '#domain/turn/first-word.ts'
import type { FirstWord } from '#domain/turn/first-word.ts'
import type { Attempted, AttemptEnd } from './attempt.ts'

/**
 * The shopper gets another answer, or has stopped both, and does not pay for this call: of two calls at once a shopper pays one.
 */
export function isStoppedByUs(
  { end, spoke }: Attempted,
  { firstWord, isHedge = false }: { readonly firstWord: FirstWord; readonly isHedge?: boolean | undefined },
): boolean {
  if (!isPromised(firstWord)) return false
  if (end.kind === 'aborted') return isHedge && !spoke
  return end.kind === 'failed' && (end.class === 'cancelled' || (end.class === 'timeout' && !spoke))
}

/**
 * The end by which the lane judges a call. A silent one that had the model's own usual time is a timeout, so that the circuit of a silent model
 * opens; a shorter one says nothing of its model. Undefined: it is not counted.
 */
export function judgedEnd(
  { end, record, spoke, thought }: Attempted,
  { firstWord, usualMs }: { readonly firstWord: FirstWord; readonly usualMs: number | undefined },
): AttemptEnd | undefined {
  const isStopped = end.kind === 'failed' && (end.class === 'timeout' || end.class === 'cancelled')
  if (!isStopped || spoke || thought || !isPromised(firstWord)) return end
  const isSilent = (record.tookMs ?? 0) >= Math.min(usualMs ?? firstWord.silentMs, firstWord.silentMaxMs)
  return isSilent ? { kind: 'failed', class: 'timeout' } : undefined
}
