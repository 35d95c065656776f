// A call that we ended before its first word: another model spoke first, or the promise of the first word needed another.
// Whether it counts against its lane, and what is booked for it.
import { costMicroUsd } from '#domain/budget/money.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import { isPromised } from '#domain/turn/first-word.ts'
import type { FirstWord } from '#domain/turn/first-word.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { Rung } from '../turn.ts'
import type { Attempted, AttemptEnd } from './attempt.ts'

/** The shopper gets another answer, and does not pay for this call. */
export function isStoppedByUs({ end, spoke }: Attempted, firstWord: FirstWord): boolean {
  if (!isPromised(firstWord) || end.kind !== 'failed') return false
  return end.class === 'cancelled' || (end.class === 'timeout' && !spoke)
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
  const isSilent = (record.tookMs ?? 0) >= (usualMs ?? firstWord.silentMs)
  return isSilent ? { kind: 'failed', class: 'timeout' } : undefined
}

/** Booked to the shop as though it had answered: what a vendor bills for a stopped call is not known. */
export function bookedInFull(
  { usage }: AttemptRecord,
  { maxOutputTokens, name, price }: Rung,
  typical: Pick<TypicalTimes, 'answerTokens'>,
): Pick<AttemptRecord, 'costMicroUsd' | 'paidBy' | 'usage'> {
  const usualTokens = Math.min(maxOutputTokens, typical.answerTokens(name) ?? maxOutputTokens)
  const outputTokens = Math.max(usage.outputTokens, usualTokens)
  const cost = costMicroUsd(price, usage.inputTokens, outputTokens)
  return { paidBy: 'shop', costMicroUsd: cost, usage: { ...usage, outputTokens, estimated: true } }
}
