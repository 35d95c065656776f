// One machine: everything that persists in SQLite under DATA_DIR, the rest in the process, and the configured models.
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { pseudonymousBudgets } from '#adapters/pseudonymous/budgets.ts'
import { backUpDataDir } from '#adapters/sqlite/files/back-up.ts'
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import { sqliteDeferredStore } from '#adapters/sqlite/deferred-store/deferred-store.ts'
import { sqliteEstimatorStore } from '#adapters/sqlite/estimator-store/estimator-store.ts'
import { sqliteAdminStore } from '#adapters/sqlite/admin-store/admin-store.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { sqliteLedger } from '#adapters/sqlite/ledger/ledger.ts'
import { renameAccounts } from '#adapters/sqlite/budgets/rename-accounts.ts'
import { sqliteSessionStore } from '#adapters/sqlite/session-store/session-store.ts'
import { sqliteBudgets } from '#adapters/sqlite/budgets/budgets.ts'
import { sqliteSpendChunks } from '#adapters/sqlite/spend-chunks/spend-chunks.ts'
import { sqliteTurnLog } from '#adapters/sqlite/turn-log/turn-log.ts'
import type { Config } from '#config/config.ts'
import { laneLeaseMs, lanePolicies } from '#domain/lane/lanes-of.ts'
import { ACCOUNT_PREFIX, accountNamer } from '../identity/account-names.ts'
import { cookieKeysIn } from '../identity/cookie-keys.ts'
import { openNode } from './node.ts'
import type { Wiring, WiringParts } from '../wiring.ts'

export async function wireLocal(config: Config, parts: WiringParts): Promise<Wiring> {
  using opened = new DisposableStack()
  const node = opened.use(await openNode(config, parts))
  const { bounds, database } = node
  const { clock, random } = parts
  // That of the folder, whatever signs cookies: a new one of those would be a new budget for everybody.
  const nameOf = accountNamer(node.cookieKey)
  await renameAccounts(database, { nameOf, prefix: ACCOUNT_PREFIX })
  const ports = {
    ...node.ports,
    sessions: sqliteSessionStore({ database, clock }),
    turnLog: sqliteTurnLog({ database, clock, bounds }),
    budgets: pseudonymousBudgets({ budgets: sqliteBudgets({ database, clock }), nameOf }),
    rateChunks: memoryRateChunks({ clock }),
    spendChunks: await sqliteSpendChunks({ database, clock }),
    ledger: sqliteLedger({ database }),
    estimators: sqliteEstimatorStore({ database }),
    admin: sqliteAdminStore({ database }),
    lanes: memoryLanes({ clock, random, policies: lanePolicies(config), leaseMs: laneLeaseMs(config) }),
    answers: memoryAnswerCache({ clock, limits: config.answers }),
    deferred: sqliteDeferredStore({ database, clock, limits: config.deferred }),
  }
  const backUp = async (folder: string) => {
    try {
      return await backUpDataDir({ database, dataDir: config.server.dataDir }, folder)
    } catch (error) {
      if (error instanceof DataDirError) return { refused: error.message }
      throw error
    }
  }
  const scrub = async () => void database.truncateLog()
  const keep = opened.move()
  return {
    ports: { ...ports, backUp, scrub },
    cookieKeys: cookieKeysIn(parts.env) ?? [node.cookieKey],
    probes: node.probes,
    dispensable: {},
    [Symbol.asyncDispose]: async () => keep.dispose(),
  }
}
