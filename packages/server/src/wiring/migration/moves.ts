// What `mangaassist migrate` does with the data of each port: the parts that are moved, or why none is. The compiler asks for a row of a
// new port, and `test/migration-document.test.ts` for its row in docs/upgrading.md.
import {
  accountsPart,
  alarmsPart,
  calibrationsPart,
  conversationsPart,
  deferredPart,
  kindPart,
  ledgerPart,
  modelHistoryPart,
  refusalsPart,
  settingsPart,
  spendingPart,
  turnLogsPart,
  turnRecordsPart,
  unitsPart,
} from '#app/migration.ts'
import type { Part } from '#app/migration.ts'
import type { ChosenStores, NodePort, StoredPort } from '#config/chosen-stores.ts'
import type { ShopCounts, ShopSource } from '#ports/migration/shop-source.ts'
import type { Kind } from '#ports/records/port.ts'
import { CARTS } from '#stores/carts.ts'
import { HANDOVERS } from '#stores/handover-requests.ts'
import { orderKind } from '#stores/order-book.ts'
import { adminStores } from '../stores/admin.ts'
import { alarmBoards } from '../stores/alarms.ts'
import { deferredStores } from '../stores/deferred.ts'
import { estimatorStores } from '../stores/estimators.ts'
import { accountImports, adminImports, sessionImports, turnLogImports, unitImports } from '../stores/imports.ts'
import { modelHistories } from '../stores/lanes.ts'
import { ledgers } from '../stores/ledger.ts'
import { ordersKeepMs, recordStores } from '../stores/records.ts'
import { sessionStores } from '../stores/sessions.ts'
import { spendChunkStores } from '../stores/spend-chunks.ts'
import type { StoreParts } from '../stores/store-parts.ts'
import { turnLogs } from '../stores/turn-log.ts'
import { turnRecordStores } from '../stores/turn-records.ts'
import { MigrationRefused } from './migration-refused.ts'

export interface Move {
  readonly source: ShopSource
  readonly counts: ShopCounts
  readonly chosen: ChosenStores
  readonly parts: StoreParts
}

type PartsOf = (move: Move) => Promise<readonly Part[]>

/** The ledger in Redis keeps no more than this; a durable one keeps all rows. */
const REDIS_LEDGER_DAYS = 100
const IN_MEMORY = 'one machine has them in memory'

/** In the order in which they are moved: what people miss most comes last, so that it is the freshest. */
export const MOVES: Readonly<Record<StoredPort | NodePort, PartsOf | string>> = {
  products: 'the catalogue and the FAQ are imported again, by each node or once for all',
  search: 'each node makes its index from the catalogue',
  samples: 'each node collects its own',
  rateChunks: IN_MEMORY,
  lanes: `${IN_MEMORY}; what operators did to lanes is in the settings`,
  answers: IN_MEMORY,
  tasks: IN_MEMORY,
  admin: async (move) => {
    const imports = await importOf(move, 'admin', adminImports)
    return [settingsPart(to(move, 'admin', { imports, admin: await adminStores[move.chosen.admin](move.parts) }))]
  },
  alarms: async (move) => [alarmsPart(to(move, 'alarms', await alarmBoards[move.chosen.alarms](move.parts)))],
  modelHistory: async (move) => [
    modelHistoryPart(to(move, 'modelHistory', await modelHistories[move.chosen.modelHistory](move.parts))),
  ],
  estimators: async (move) => [
    calibrationsPart(to(move, 'estimators', await estimatorStores[move.chosen.estimators](move.parts))),
  ],
  ledger: async (move) => {
    const { chosen, parts } = move
    const kept = chosen.ledger === 'redis' ? { keptDays: REDIS_LEDGER_DAYS } : {}
    return [await ledgerPart(to(move, 'ledger', { ledger: await ledgers[chosen.ledger](parts), ...kept }), parts.clock)]
  },
  spendChunks: async (move) => [
    spendingPart(to(move, 'spendChunks', await spendChunkStores[move.chosen.spendChunks](move.parts))),
  ],
  budgets: async (move) => [accountsPart(to(move, 'budgets', await importOf(move, 'budgets', accountImports)))],
  turnRecords: async (move) => {
    const { chosen, parts } = move
    const records = await turnRecordStores[chosen.turnRecords](parts)
    const imports = await importOf(move, 'turnRecords', unitImports)
    const { refusalsMax, turnRecordsMax } = parts.config.retention
    // Redis is bounded by number; records in a table only expire.
    const kept = (countMax: number) => (chosen.turnRecords === 'redis' ? { countMax } : {})
    return [
      unitsPart(to(move, 'turnRecords', { imports, records })),
      refusalsPart(to(move, 'turnRecords', { records, ...kept(refusalsMax) })),
      turnRecordsPart(to(move, 'turnRecords', { records, ...kept(turnRecordsMax) })),
    ]
  },
  orders: async (move) => [await kindOf(move, 'orders', orderKind(ordersKeepMs(move.parts.config)))],
  carts: async (move) => [await kindOf(move, 'carts', CARTS)],
  turnLog: async (move) => {
    const imports = await importOf(move, 'turnLog', turnLogImports)
    return [turnLogsPart(to(move, 'turnLog', { imports, turnLog: await turnLogs[move.chosen.turnLog](move.parts) }))]
  },
  sessions: async (move) => {
    const imports = await importOf(move, 'sessions', sessionImports)
    const sessions = await sessionStores[move.chosen.sessions](move.parts)
    return [conversationsPart(to(move, 'sessions', { imports, sessions }))]
  },
  handovers: async (move) => [await kindOf(move, 'handovers', HANDOVERS, 'requests for a person')],
  deferred: async (move) => [
    deferredPart(to(move, 'deferred', await deferredStores[move.chosen.deferred](move.parts))),
  ],
}

function to<Target>({ chosen, counts, source }: Move, port: StoredPort, target: Target) {
  return { source, counts, store: chosen[port], target }
}

async function kindOf<Value>(
  { chosen, parts, source }: Move,
  port: 'carts' | 'handovers' | 'orders',
  kind: Kind<Value>,
  name = kind.name,
): Promise<Part> {
  const store = chosen[port]
  return kindPart({ name, kind, source, store, target: (await recordStores[store](parts)).open(kind) })
}

async function importOf<Import>(
  { chosen, parts }: Move,
  port: StoredPort,
  table: Readonly<Partial<Record<string, (parts: StoreParts) => Promise<Import>>>>,
): Promise<Import> {
  const open = table[chosen[port]]
  if (open === undefined) throw new MigrationRefused(`stores.${port}: nothing can be moved to ${chosen[port]}.`)
  return open(parts)
}
