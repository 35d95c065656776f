// The shop's spending in memory: for tests and simulations, and the oracle of the other adapters.
import { sweepFront } from '#lib/collections/sweep-front.ts'
import type { Clock } from '#ports/clock/port.ts'
import { stepReached } from '#ports/spend-chunks/port.ts'
import type { SpendAccount, SpendChunk, SpendChunks } from '#ports/spend-chunks/port.ts'

const KEEP_MS = 48 * 3_600_000
/** How long a repeated operation is recognised. */
const OPERATION_MS = 600_000
const SWEEP_MAX = 4

interface Account {
  readonly taken: number
  /** The highest amount ever taken: each threshold is reported once. */
  readonly highest: number
  readonly forgetAt: number
}

const NEW = { taken: 0, highest: 0 }

export function memorySpendChunks({ clock }: { readonly clock: Pick<Clock, 'now'> }): SpendChunks {
  const accounts = new Map<string, Account>()
  const operations = new Map<string, { readonly at: number; readonly chunk: SpendChunk }>()
  const keyOf = ({ name, day }: SpendAccount) => `${day.key} ${name}`

  function change(account: SpendAccount, by: number): void {
    const { taken, highest } = accounts.get(keyOf(account)) ?? NEW
    const after = Math.max(0, taken + by)
    const forgetAt = Math.max(account.day.endsAt, clock.now()) + KEEP_MS
    accounts.set(keyOf(account), { taken: after, highest: Math.max(highest, after), forgetAt })
  }

  /** Runs a change once; a repeat gets the first result. */
  function once(account: SpendAccount, operation: string, work: () => SpendChunk): SpendChunk {
    const now = clock.now()
    sweepFront(operations, ({ at }) => at + OPERATION_MS <= now, SWEEP_MAX)
    sweepFront(accounts, ({ forgetAt }) => forgetAt <= now, SWEEP_MAX)
    const key = `${keyOf(account)} ${operation}`
    const before = operations.get(key)
    if (before !== undefined) return before.chunk
    const chunk = work()
    operations.set(key, { at: now, chunk })
    return chunk
  }

  return {
    async lease(account, { least, most }, operation) {
      const { taken, highest } = accounts.get(keyOf(account)) ?? NEW
      const left = Math.max(0, account.limitMicroUsd - taken)
      return once(account, operation, () => {
        if (left < least) return { grantedMicroUsd: 0, leftMicroUsd: left }
        const grantedMicroUsd = Math.min(most, left)
        change(account, grantedMicroUsd)
        const reached = stepReached(highest, Math.max(highest, taken + grantedMicroUsd), account.limitMicroUsd)
        return { grantedMicroUsd, leftMicroUsd: left - grantedMicroUsd, ...(reached === undefined ? {} : { reached }) }
      })
    },
    async giveBack(account, microUsd, operation) {
      once(account, operation, () => {
        change(account, -microUsd)
        return { grantedMicroUsd: 0, leftMicroUsd: 0 }
      })
    },
    async charge(account, microUsd, operation) {
      once(account, operation, () => {
        change(account, microUsd)
        return { grantedMicroUsd: 0, leftMicroUsd: 0 }
      })
    },
    taken: async (account) => accounts.get(keyOf(account))?.taken ?? 0,
  }
}
