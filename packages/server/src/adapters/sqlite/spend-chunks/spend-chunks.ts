// The shop's spending on one machine; each verb is one write. A process that died cannot return its chunk, so opening the
// file sets the spending of each open day to the sum of the ledger in the same file.
import type { Clock } from '#ports/clock/port.ts'
import { stepReached } from '#ports/spend-chunks/port.ts'
import type { SpendAccount, SpendChunk, SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Database } from '../files/database.ts'

const KEEP_MS = 48 * 3_600_000
/** How long a repeated operation is recognised. */
const OPERATION_MS = 600_000
const SWEEP_MAX = 16
const NOTHING: SpendChunk = { grantedMicroUsd: 0, leftMicroUsd: 0 }

interface Account {
  readonly taken: number
  readonly highest: number
}

/** What the ledger has of a day and an account. */
const BOOKED = `(SELECT CAST(total(cost_micro_usd) AS INTEGER) FROM ledger
  WHERE ledger.day = spend_use.day AND (spend_use.name = 'store' OR ledger.principal_id LIKE 'guest\\_%' ESCAPE '\\'))`

/**
 * The accounts as an opening would set them, for a move to another store; nothing is changed here. Where the ledger has no row of
 * the day it is elsewhere, and what was leased counts.
 */
export function ledgerSpending(database: Pick<Database, 'statement'>, now: number): Iterable<Record<string, unknown>> {
  const isBooked = 'EXISTS (SELECT 1 FROM ledger WHERE ledger.day = spend_use.day)'
  const select = `SELECT day, name, CASE WHEN ${isBooked} THEN ${BOOKED} ELSE taken END AS taken, highest, forget_at
    FROM spend_use WHERE forget_at > ?`
  return database.statement(select).all(now)
}

export interface SqliteSpendChunksOptions {
  readonly database: Database
  readonly clock: Clock
  /** Whether the ledger is elsewhere: then what was leased before counts as spent. */
  readonly isLedgerElsewhere?: boolean
}

export async function sqliteSpendChunks(options: SqliteSpendChunksOptions): Promise<SpendChunks> {
  const { clock, database, isLedgerElsewhere = false } = options
  await database.write(() => {
    if (isLedgerElsewhere) return
    database.statement(`UPDATE spend_use SET taken = ${BOOKED}`).run()
    database.statement('DELETE FROM spend_operations').run()
  })

  function accountOf({ name, day }: SpendAccount): Account {
    const row = database.statement('SELECT taken, highest FROM spend_use WHERE day = ? AND name = ?').get(day.key, name)
    return { taken: Number(row?.['taken'] ?? 0), highest: Number(row?.['highest'] ?? 0) }
  }

  function change(account: SpendAccount, by: number): void {
    const { taken, highest } = accountOf(account)
    const after = Math.max(0, taken + by)
    const forgetAt = Math.max(account.day.endsAt, clock.now()) + KEEP_MS
    database
      .statement('INSERT OR REPLACE INTO spend_use VALUES (?, ?, ?, ?, ?)')
      .run(account.day.key, account.name, after, Math.max(highest, after), forgetAt)
  }

  /** Runs a change once; a repeat gets the first result. */
  function once(account: SpendAccount, operation: string, work: () => SpendChunk): Promise<SpendChunk> {
    return database.write(() => {
      const now = clock.now()
      const over = 'DELETE FROM spend_operations WHERE id IN (SELECT id FROM spend_operations WHERE at <= ? LIMIT ?)'
      database.statement(over).run(now - OPERATION_MS, SWEEP_MAX)
      database.statement('DELETE FROM spend_use WHERE forget_at <= ?').run(now)
      const id = `${account.day.key} ${account.name} ${operation}`
      const before = database.statement('SELECT chunk FROM spend_operations WHERE id = ?').get(id)
      if (before !== undefined) return JSON.parse(String(before['chunk'])) as SpendChunk
      const chunk = work()
      database.statement('INSERT INTO spend_operations VALUES (?, ?, ?)').run(id, now, JSON.stringify(chunk))
      return chunk
    })
  }

  return {
    lease: (account, { least, most }, operation) =>
      once(account, operation, () => {
        const { taken, highest } = accountOf(account)
        const left = Math.max(0, account.limitMicroUsd - taken)
        if (left < least) return { grantedMicroUsd: 0, leftMicroUsd: left }
        const grantedMicroUsd = Math.min(most, left)
        change(account, grantedMicroUsd)
        const reached = stepReached(highest, Math.max(highest, taken + grantedMicroUsd), account.limitMicroUsd)
        return { grantedMicroUsd, leftMicroUsd: left - grantedMicroUsd, ...(reached === undefined ? {} : { reached }) }
      }),
    async giveBack(account, microUsd, operation) {
      await once(account, operation, () => {
        change(account, -microUsd)
        return NOTHING
      })
    },
    async charge(account, microUsd, operation) {
      await once(account, operation, () => {
        change(account, microUsd)
        return NOTHING
      })
    },
    taken: async (account) => accountOf(account).taken,
  }
}
