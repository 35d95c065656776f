// Restores the day's ceilings after their store has lost data: what the ledger has of the day and the accounts have not is counted as
// spent, once in each epoch. One node at a time does it; a task in the store says that it was done, so that another node does it when
// this one dies. Until then a node leases no more than its allowance, because the accounts may be too low. A ledger that is
// unavailable is asked again.
import type { Day } from '#domain/budget/day.ts'
import { isDemoPrincipal } from '#domain/identity/demo-members.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { SpendAccount, SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LostSpendingParts {
  readonly ledger: Pick<Ledger, 'rows' | 'costs'>
  readonly spendChunks: SpendChunks
  readonly tasks: Tasks
  readonly nodeId: string
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly today: () => Day
  /** By account; a ceiling of MAX_SAFE_INTEGER is none. */
  readonly limits: Readonly<Record<SpendAccount['name'], number>>
  /** The most that this node leases of an account while it is not restored. */
  readonly allowanceMicroUsd: number
}

export interface LostSpending extends Disposable {
  /** Makes sure that the accounts are restored in this epoch, by this node or another. Returns at once. */
  restore(epoch: string): void
  /** The accounts, from which little is leased until they are restored. */
  readonly chunks: SpendChunks
}

const GUEST = 'guest_'
const LEASE_MS = 30_000
const DONE = 'done'

type Spent = Record<SpendAccount['name'], number>

export function lostSpending(parts: LostSpendingParts): LostSpending {
  const { allowanceMicroUsd, clock, limits, nodeId, spendChunks, tasks, telemetry, today } = parts
  const names = (Object.keys(limits) as SpendAccount['name'][]).filter((name) => limits[name] < Number.MAX_SAFE_INTEGER)
  /** The epoch in which the accounts are not known to be restored, and what this node has leased in it. */
  let awaited: { readonly epoch: string; readonly leased: Spent } | undefined
  const later = new RetryLater({
    timers: clock,
    entriesMax: 1,
    onGivenUp: () => telemetry.log('error', 'spending.restore-failed', { day: today().key }),
  })

  async function restored(epoch: string): Promise<void> {
    const task = `restore-spending:${epoch}`
    const lease = { owner: nodeId, leaseMs: LEASE_MS }
    const taken = await tasks.take(task, lease)
    if (taken === undefined) throw new StoreUnavailable('another node restores the ceilings')
    if (taken.progress !== DONE) {
      await charge(epoch, async () => {
        if (!(await tasks.save(task, 'reading', lease))) throw new StoreUnavailable('another node took this over')
      })
    }
    await tasks.save(task, DONE, { ...lease, leaseMs: 0 })
    if (awaited?.epoch === epoch) awaited = undefined
  }

  async function charge(epoch: string, renew: () => Promise<void>): Promise<void> {
    const day = today()
    const spent = await spentOn(parts, day, renew)
    for (const name of names) {
      const account = { name, day, limitMicroUsd: limits[name] }
      const missing = spent[name] - (await spendChunks.taken(account))
      if (missing <= 0) continue
      await spendChunks.charge(account, missing, `restored ${epoch}`)
      telemetry.log('warn', 'spending.restored', { account: name, day: day.key, microUsd: missing })
    }
  }

  return {
    restore(epoch) {
      if (names.length === 0) return
      awaited = { epoch, leased: { store: 0, guests: 0 } }
      later.add('spending', () => restored(epoch))
    },
    chunks: {
      ...spendChunks,
      async lease(account, ask, operation) {
        if (awaited === undefined) return spendChunks.lease(account, ask, operation)
        const { leased } = awaited
        const room = allowanceMicroUsd - leased[account.name]
        if (room < ask.least) return { grantedMicroUsd: 0, leftMicroUsd: 0 }
        const chunk = await spendChunks.lease(account, { ...ask, most: Math.min(ask.most, room) }, operation)
        leased[account.name] += chunk.grantedMicroUsd
        return chunk
      },
    },
    [Symbol.dispose]: () => later[Symbol.dispose](),
  }
}

/** What the ledger has of the day. Renews the lease while it reads. */
async function spentOn(
  { clock, ledger }: Pick<LostSpendingParts, 'clock' | 'ledger'>,
  { key }: Day,
  renew: () => Promise<void>,
): Promise<Spent> {
  const spent = { store: 0, guests: 0 }
  let renewedAt = clock.now()
  for await (const { costMicroUsd, principalId } of ledger.costs?.(key) ?? ledger.rows({ day: key })) {
    spent.store += costMicroUsd
    if (principalId.startsWith(GUEST) || isDemoPrincipal(principalId)) spent.guests += costMicroUsd
    if (clock.now() - renewedAt < LEASE_MS / 3) continue
    renewedAt = clock.now()
    await renew()
  }
  return spent
}
