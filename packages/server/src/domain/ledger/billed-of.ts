// The part of a call's record that the ledger stores: what was used and how it ended. The story of the call (its times, the vendor's
// words) belongs to the turn record: a row is one line of a bill, and is kept far longer.
import type { AttemptRecord } from '../turn/log-records.ts'

type Story = 'name' | 'startedAt' | 'firstWordMs' | 'tookMs' | 'reasoningTokens' | 'fault' | 'began' | 'paidBy'

export function billedOf(record: AttemptRecord): Omit<AttemptRecord, Story | 'usage'> & AttemptRecord['usage'] {
  const { name, startedAt, firstWordMs, tookMs, reasoningTokens, fault, began, paidBy, usage, ...billed } = record
  return { ...billed, ...usage }
}
