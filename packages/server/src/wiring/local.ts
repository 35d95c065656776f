// One machine: everything that persists in SQLite under DATA_DIR, the rest in the process, and the configured models.
// What cannot be opened stops the start with a StartError, and what was opened before it is closed again.
import { join } from 'node:path'
import { learnEmbedder } from '#adapters/embedded/embedder.ts'
import { fileSampleStore } from '#adapters/files/sample-store.ts'
import { DataDirError } from '#adapters/sqlite/data-dir-error.ts'
import { openDataDir } from '#adapters/sqlite/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/database.ts'
import type { Database } from '#adapters/sqlite/database.ts'
import { sqliteLedger } from '#adapters/sqlite/ledger.ts'
import { sqliteProductStore } from '#adapters/sqlite/product-store.ts'
import { sqliteSearch } from '#adapters/sqlite/search.ts'
import { sqliteSessionStore } from '#adapters/sqlite/session-store.ts'
import { sqliteSharedState } from '#adapters/sqlite/shared-state.ts'
import { sqliteTurnLog } from '#adapters/sqlite/turn-log.ts'
import type { Ports } from '#app.ts'
import type { Config } from '#config.ts'
import type { Clock } from '#ports/clock.ts'
import type { ProductStore } from '#ports/product-store.ts'
import { BUNDLED, readCatalogue, readFaq } from './bundled-data.ts'
import { wireModels } from './models.ts'
import type { ModelWiring } from './models.ts'
import { responseSampler } from './response-sampler.ts'
import { StartError } from './start-error.ts'
import type { SystemParts } from './system.ts'

export interface LocalWiring extends Disposable {
  readonly ports: Ports
  readonly cookieKeys: readonly [Uint8Array]
  /** Looks at what this process depends on, for `readyz`. */
  readonly probes: Readonly<Record<string, () => Promise<Readonly<Record<string, string | number>>>>>
}

export async function wireLocal(
  config: Config,
  parts: SystemParts & ModelWiring & { readonly workspaceRoot: string },
): Promise<LocalWiring> {
  using opened = new DisposableStack()
  const { chance, clock, workspaceRoot } = parts
  const { dataDir, database } = openStores(config, parts, opened)
  const faq = await readFaq(workspaceRoot)
  const products = sqliteProductStore({ database })
  await stockShelves(products, workspaceRoot)
  const store = fileSampleStore({ folder: join(dataDir.path, 'samples'), limits: config.samples })
  const ports: Ports = {
    clock,
    chance,
    telemetry: parts.telemetry,
    sessions: sqliteSessionStore({ database, clock }),
    turnLog: await sqliteTurnLog({ database, clock }),
    state: sqliteSharedState({ database, clock }),
    ledger: sqliteLedger({ database }),
    products,
    search: await sqliteSearch({ database, products, faq, learn: learnEmbedder }),
    faq,
    models: await wireModels(config, { ...parts, samplerOf: responseSampler(config.samples, { ...parts, store }) }),
  }
  const keep = opened.move()
  return {
    ports,
    cookieKeys: [Buffer.from(dataDir.secrets.cookieKey, 'base64url')],
    probes: { database: () => probe(database, clock) },
    [Symbol.dispose]: () => keep.dispose(),
  }
}

/** A real write: a disk that is full can still be read, but nobody can be served from it. */
async function probe(database: Database, clock: Clock): Promise<Readonly<Record<string, string | number>>> {
  const at = clock.now()
  await database.write(() => database.statement('INSERT OR REPLACE INTO probes (only_row, at) VALUES (1, ?)').run(at))
  return { wroteMs: clock.now() - at }
}

/** The bundled catalogue, and its newer editions, until the shop imports its own: then never again. */
async function stockShelves(products: ProductStore, workspaceRoot: string): Promise<void> {
  const bundled = await readCatalogue(workspaceRoot)
  const edition = await products.edition()
  if (edition !== undefined && !edition.source.startsWith(BUNDLED)) return
  if (edition?.source !== bundled.source) await products.replaceAll(bundled.products, bundled.source)
}

function openStores(config: Config, { chance, clock }: SystemParts, opened: DisposableStack) {
  try {
    const dataDir = opened.use(openDataDir({ path: config.server.dataDir, chance }))
    const database = opened.adopt(openDatabase({ path: dataDir.databasePath, clock }), (open) => open.close())
    return { dataDir, database }
  } catch (error) {
    throw error instanceof DataDirError ? new StartError(error.message, { cause: error }) : error
  }
}
