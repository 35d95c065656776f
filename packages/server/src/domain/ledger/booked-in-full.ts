// The ledger row of a call that ended without a word because we stopped it or lost its owner. What the vendor bills is
// unknown, so a whole answer is booked; the shop pays, because the shopper gets and pays another answer.
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
