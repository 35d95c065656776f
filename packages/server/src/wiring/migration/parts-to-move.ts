// What is moved, from the folder of a shop to the stores that the configuration chooses.
import type { Database } from '#adapters/sqlite/files/database.ts'
import {
  accountsPart,
  calibrationsPart,
  conversationsPart,
  deferredPart,
  ledgerPart,
  settingsPart,
  spendingPart,
  turnLogsPart,
  turnRecordsPart,
  unitsPart,
} from '#app/migration.ts'
import type { Part } from '#app/migration.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { ChosenStores, StoredPort } from '#config/chosen-stores.ts'
import type { ShopSource } from '#ports/migration/shop-source.ts'
import { adminStores } from '../stores/admin.ts'
import { deferredStores } from '../stores/deferred.ts'
import { estimatorStores } from '../stores/estimators.ts'
import { accountImports, adminImports, sessionImports, turnLogImports, unitImports } from '../stores/imports.ts'
import { ledgers } from '../stores/ledger.ts'
import { sessionStores } from '../stores/sessions.ts'
import { spendChunkStores } from '../stores/spend-chunks.ts'
import type { StoreParts } from '../stores/store-parts.ts'
import { turnLogs } from '../stores/turn-log.ts'
import { turnRecordStores } from '../stores/turn-records.ts'
import { MigrationRefused } from './migration-refused.ts'

/** The ledger in Redis keeps no more than this; a durable one keeps all rows. */
const REDIS_LEDGER_DAYS = 100

/** In the order in which they are moved: what people miss most comes last, so that it is the freshest. */
export async function partsToMove(source: ShopSource, given: Omit<StoreParts, 'database'>): Promise<readonly Part[]> {
  const parts: StoreParts = { ...given, database: NO_DATABASE }
  const chosen = chosenStores(given.config)
  const counts = source.counts()
  const to = <Target>(port: StoredPort, target: Target) => ({ source, counts, store: chosen[port], target })
  const turnRecords = await turnRecordStores[chosen.turnRecords](parts)
  return [
    settingsPart(
      to('admin', {
        imports: await importOf('admin', chosen, adminImports)(parts),
        admin: await adminStores[chosen.admin](parts),
      }),
    ),
    // A store of the node itself stays in its folder.
    ...(chosen.estimators === 'sqlite'
      ? []
      : [calibrationsPart(to('estimators', await estimatorStores[chosen.estimators](parts)))]),
    await ledgerPart(
      to('ledger', {
        ledger: await ledgers[chosen.ledger](parts),
        ...(chosen.ledger === 'redis' ? { keptDays: REDIS_LEDGER_DAYS } : {}),
      }),
      given.clock,
    ),
    spendingPart(to('spendChunks', await spendChunkStores[chosen.spendChunks](parts))),
    accountsPart(to('budgets', await importOf('budgets', chosen, accountImports)(parts))),
    unitsPart(
      to('turnRecords', {
        imports: await importOf('turnRecords', chosen, unitImports)(parts),
        records: turnRecords,
      }),
    ),
    turnRecordsPart(to('turnRecords', turnRecords)),
    turnLogsPart(
      to('turnLog', {
        imports: await importOf('turnLog', chosen, turnLogImports)(parts),
        turnLog: await turnLogs[chosen.turnLog](parts),
      }),
    ),
    conversationsPart(
      to('sessions', {
        imports: await importOf('sessions', chosen, sessionImports)(parts),
        sessions: await sessionStores[chosen.sessions](parts),
      }),
    ),
    deferredPart(to('deferred', await deferredStores[chosen.deferred](parts))),
  ]
}

type Open<Import> = (parts: StoreParts) => Promise<Import>

function importOf<Import>(
  port: StoredPort,
  chosen: ChosenStores,
  table: Readonly<Partial<Record<string, Open<Import>>>>,
): Open<Import> {
  const open = table[chosen[port]]
  if (open === undefined) throw new MigrationRefused(`stores.${port}: nothing can be moved to ${chosen[port]}.`)
  return open
}

/** No part that is moved opens a store in a folder: those of the nodes are not the target. */
const NO_DATABASE = new Proxy({} as Database, {
  get() {
    throw new TypeError('a store in a folder is no target of a move')
  },
})
