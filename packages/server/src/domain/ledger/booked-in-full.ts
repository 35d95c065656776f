// What is booked for a call that ended without a word because we stopped it, or because its owner was lost: as though it had answered, because
// what its vendor bills is not known; and to the shop, because the shopper gets, and pays, another answer.
import { costMicroUsd } from '../budget/money.ts'
import type { Price } from '../budget/money.ts'
import type { TypicalTimes } from '../model/typical-times.ts'
import type { AttemptRecord } from '../turn/log-records.ts'

export interface CallBooked {
  readonly name: string
  readonly price: Price
  readonly maxOutputTokens: number
}

export function bookedInFull(
  { usage }: Pick<AttemptRecord, 'usage'>,
  { maxOutputTokens, name, price }: CallBooked,
  typical: Pick<TypicalTimes, 'answerTokens'>,
): Pick<AttemptRecord, 'costMicroUsd' | 'paidBy' | 'usage'> {
  const usualTokens = Math.min(maxOutputTokens, typical.answerTokens(name) ?? maxOutputTokens)
  const outputTokens = Math.max(usage.outputTokens, usualTokens)
  const cost = costMicroUsd(price, usage.inputTokens, outputTokens)
  return { paidBy: 'shop', costMicroUsd: cost, usage: { ...usage, outputTokens, estimated: true } }
}
