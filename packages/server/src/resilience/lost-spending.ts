// Restores the day's ceilings after their store has lost data: what the ledger has of the day and the accounts have not is counted as
// spent, once in each epoch, whichever node does it. A ledger that is unavailable is asked again.
import type { Day } from '#domain/budget/day.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { SpendAccount, SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LostSpendingParts {
  readonly ledger: Pick<Ledger, 'rows'>
  readonly spendChunks: Pick<SpendChunks, 'taken' | 'charge'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly today: () => Day
  /** By account; a ceiling of MAX_SAFE_INTEGER is none. */
  readonly limits: Readonly<Record<SpendAccount['name'], number>>
}

export interface LostSpending extends Disposable {
  /** Returns at once. */
  restore(epoch: string): void
}

const GUEST = 'guest_'

export function lostSpending(parts: LostSpendingParts): LostSpending {
  const { clock, ledger, limits, spendChunks, telemetry, today } = parts
  const later = new RetryLater({
    timers: clock,
    entriesMax: 1,
    onGivenUp: () => telemetry.log('error', 'spending.restore-failed', { day: today().key }),
  })

  async function restored(epoch: string): Promise<void> {
    const day = today()
    const names = (Object.keys(limits) as SpendAccount['name'][]).filter(
      (name) => limits[name] < Number.MAX_SAFE_INTEGER,
    )
    if (names.length === 0) return
    const spent: Record<SpendAccount['name'], number> = { store: 0, guests: 0 }
    for await (const { costMicroUsd, principalId } of ledger.rows({ day: day.key })) {
      spent.store += costMicroUsd
      if (principalId.startsWith(GUEST)) spent.guests += costMicroUsd
    }
    for (const name of names) {
      const account = { name, day, limitMicroUsd: limits[name] }
      const missing = spent[name] - (await spendChunks.taken(account))
      if (missing <= 0) continue
      await spendChunks.charge(account, missing, `restored ${epoch}`)
      telemetry.log('warn', 'spending.restored', { account: name, day: day.key, microUsd: missing })
    }
  }

  return {
    restore: (epoch) => later.add('spending', () => restored(epoch)),
    [Symbol.dispose]: () => later[Symbol.dispose](),
  }
}
