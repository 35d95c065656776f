// The parts that every process has for itself in DATA_DIR, alone or in a cluster: its lock and its secrets, the catalogue and its
// search index, samples of vendors' responses; and the configured models. If a part cannot be opened, the start fails with a
// StartError, and the parts that were opened before are closed.
import { join } from 'node:path'
import { embeddedModel } from '#adapters/embedded/model.ts'
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import { openDataDir, refuseLostDatabase } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import type { Database } from '#adapters/sqlite/files/database.ts'
import { logLossOf } from '#adapters/sqlite/files/log-loss.ts'
import { sqliteSearch } from '#adapters/sqlite/search/search.ts'
import type { Ports } from '#app/app.ts'
import { currentFaq } from '#domain/catalogue/current-faq.ts'
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import { readComplexity, readFaq, readFaqWeights, readUnderstanding, readVectors } from '../bundled-data.ts'
import { readBundledTurns } from '../bundled-turns.ts'
import { readArmPrompts, readPrompts } from '../prompts.ts'
import { openEmbeddings } from '../embedder/open-embeddings.ts'
import { openEngineSearch } from '../search/open-search-engine.ts'
import { wireAlarmSenders } from '../alarm-senders.ts'
import { wireHandover } from '../handover.ts'
import { wireModels } from '../models/models.ts'
import { responseSampler } from '../models/response-sampler.ts'
import { StartError } from '../start-error.ts'
import type { SharedDynamo } from '../stores/open-dynamo.ts'
import { openProducts } from '../stores/products.ts'
import { openSamples } from '../stores/samples.ts'
import type { Stores } from '../stores/store-parts.ts'
import type { Wiring, WiringParts } from '../wiring.ts'

export interface Node extends Disposable {
  readonly database: Database
  readonly cookieKey: Uint8Array
  readonly ports: Omit<Ports, keyof Stores | 'registry'>
  readonly probes: Wiring['probes']
}

export async function openNode(config: Config, parts: WiringParts, dynamo: SharedDynamo): Promise<Node> {
  using opened = new DisposableStack()
  const { random, clock, telemetry } = parts
  const { dataDir, database } = openStores(config, parts, opened)
  const { live, products } = await openProducts(config, { ...parts, database, dynamo })
  const faq = currentFaq((await products.faq()) ?? (await readFaq()))
  const store = await openSamples(config, { folder: dataDir.path, clock, env: parts.env, opened })
  const handover = wireHandover(config, parts)
  const alarmSenders = await wireAlarmSenders(config, { ...parts, opened })
  const vectors = await readVectors()
  const embeddings = await openEmbeddings(config, { ...parts, products, faq: faq.entries })
  if (embeddings !== undefined) opened.use(embeddings)
  // In the background: until it is known what is stored, words are compared.
  embeddings?.survey().catch((error: unknown) => telemetry.log('warn', 'embedder.failed', { reason: String(error) }))
  const own = opened.use(
    await sqliteSearch({
      folder: join(dataDir.path, 'search'),
      products,
      vectors,
      embeddings,
      clock,
      telemetry,
    }),
  )
  const engine = await openEngineSearch(config, { ...parts, products, vectors, embeddings, own })
  if (engine !== undefined) opened.use(engine)
  // In the background: until the edition is there, the node's own index answers.
  void engine?.keepIndexed()
  const ports = {
    alarmSenders,
    ...(handover === undefined ? {} : { handover }),
    ...(embeddings === undefined ? {} : { embeddings }),
    clock,
    random,
    telemetry,
    products,
    ...(live === undefined ? {} : { live }),
    search: engine ?? own,
    ...(engine === undefined ? {} : { engineSearch: engine }),
    faq,
    understanding: await readUnderstanding(vectors),
    complexity: await readComplexity(),
    bundledTurns: () => readBundledTurns(),
    vectors,
    faqWeights: await readFaqWeights(),
    prompts: await readPrompts(config.store.prompts),
    armPrompts: await readArmPrompts(config),
    samples: store,
    responder: embeddedModel({ clock, tokensPerSecond: 0 }),
    models: await wireModels(config, { ...parts, samplerOf: responseSampler(config.samples, { ...parts, store }) }),
  }
  const keep = opened.move()
  return {
    database,
    cookieKey: Buffer.from(dataDir.secrets.cookieKey, 'base64url'),
    ports,
    probes: { database: () => probe(database, clock) },
    [Symbol.dispose]: () => keep.dispose(),
  }
}

/** Makes a real write: a full disk can still be read, but the process cannot serve from it. */
async function probe(database: Database, clock: Clock): Promise<Readonly<Record<string, string | number>>> {
  const at = clock.now()
  await database.write(() => database.statement('INSERT OR REPLACE INTO probes (only_row, at) VALUES (1, ?)').run(at))
  return { wroteMs: clock.now() - at }
}

function openStores(config: Config, { random, clock, telemetry }: WiringParts, opened: DisposableStack) {
  try {
    const dataDir = opened.use(openDataDir({ path: config.server.dataDir, random }))
    refuseLostDatabase(dataDir)
    const lost = logLossOf(dataDir.databasePath, dataDir)
    if (lost !== undefined)
      telemetry.log('error', 'data-dir.log-lost', { path: `${dataDir.databasePath}-wal`, ...lost })
    const file = { path: dataDir.databasePath, clock, sync: 'aside', telemetry } as const
    const database = opened.adopt(openDatabase(file), (open) => open.close())
    if (dataDir.isOpenToOthers) {
      const advice = 'its files are closed to others; chmod 700 closes the directory too'
      telemetry.log('warn', 'data-dir.readable-by-others', { path: dataDir.path, advice })
    }
    return { dataDir, database }
  } catch (error) {
    throw error instanceof DataDirError ? new StartError(error.message, { cause: error }) : error
  }
}
