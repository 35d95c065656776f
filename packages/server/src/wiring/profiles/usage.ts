// Reads the ledger and the budgets of a DATA_DIR without a server: nothing is locked or written, so a server may be running.
import { openReadOnly } from '#adapters/sqlite/files/read-only.ts'
import { sqliteAdminStore } from '#adapters/sqlite/admin-store/admin-store.ts'
import { sqliteLedger } from '#adapters/sqlite/ledger/ledger.ts'
import { sqliteBudgets } from '#adapters/sqlite/budgets/budgets.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { createPrincipalLimits, createUserQuota } from '#app/app.ts'
import type { FindUserQuota } from '#app/app.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'

export type { UserQuota } from '#app/app.ts'

export interface StoredUsage extends Disposable {
  readonly ledger: Ledger
  readonly userQuota: FindUserQuota
}

/** Whether all these stores are in DATA_DIR; otherwise the data must be read through a server. */
export function isUsageInFiles(config: Config): boolean {
  const { admin, budgets, ledger } = chosenStores(config)
  return [admin, budgets, ledger].every((store) => store === 'sqlite')
}

/** Throws a DataDirError. */
export function openStoredUsage(config: Config): StoredUsage {
  const database = openReadOnly(config.server.dataDir)
  const clock = systemClock()
  const ledger = sqliteLedger({ database, clock })
  const telemetry = NO_TELEMETRY
  const limits = createPrincipalLimits({ admin: sqliteAdminStore({ database }), clock, config, telemetry })
  const state = sqliteBudgets({ database, clock })
  const userQuota = createUserQuota({ clock, config, ledger, limits, budgets: state })
  return { ledger, userQuota, [Symbol.dispose]: () => database[Symbol.dispose]() }
}
