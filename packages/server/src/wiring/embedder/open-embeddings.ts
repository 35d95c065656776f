// Opens the embedder with its circuit and its vectors in DATA_DIR; undefined when none is configured.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { memoryVectorStore } from '#adapters/memory/vector-store.ts'
import { sqliteVectorStore } from '#adapters/sqlite/vector-store/vector-store.ts'
import type { Config } from '#config/config.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { Embedder } from '#ports/embedder/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { VectorStore } from '#ports/vector-store/port.ts'
import { createEmbeddings } from '#resilience/embeddings/embeddings.ts'
import { guardedEmbedder } from '#resilience/embeddings/guarded-embedder.ts'
import type { Environment } from '../models/model-secrets.ts'
import { embedderFacts, readEmbedderBook } from './embedder-book.ts'
import { CALLS_MAX, openEmbedder } from './open-embedder.ts'

export interface EmbeddingsWiring {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly env: Environment
  readonly products: Pick<ProductStore, 'byIds' | 'outlines' | 'edition'>
  readonly faq: () => readonly FaqEntry[]
  /** A command reads what a server has stored, and waits longer for its one question. */
  readonly isCommand?: boolean
}

const QUESTION_MS = 150
const COMMAND_QUESTION_MS = 5000

export async function openEmbeddings(
  config: Pick<Config, 'lanes' | 'search' | 'server'>,
  { isCommand = false, ...parts }: EmbeddingsWiring,
): Promise<(Embeddings & Disposable) | undefined> {
  const { embedder: settings } = config.search
  if (settings === undefined) return undefined
  const { clock, random, telemetry } = parts
  const book = await readEmbedderBook()
  const embedder = await openEmbedder(settings, { book, clock, env: parts.env })
  const inputMicroUsdPerMillion = embedderFacts(book, settings)?.inputMicroUsdPerMillion ?? 0
  const float = () => random.float()
  const policy = dependencyPolicy(config, 'embedder')
  const lane = new NodeLane({ name: 'embedder', policy, now: () => clock.now(), float })
  return createEmbeddings({
    ...parts,
    lane,
    float,
    guarded: guardedEmbedder({ embedder, lane, clock, telemetry, inputMicroUsdPerMillion }),
    store: openStore(vectorPath(config.server.dataDir, settings.provider, embedder), embedder.dimensions, isCommand),
    questionMs: isCommand ? COMMAND_QUESTION_MS : (settings.questionMs ?? QUESTION_MS),
    callsMax: settings.callsMax ?? CALLS_MAX,
  })
}

/** The vectors of one model are of no use to another: each has a file, named by it. */
export function vectorPath(
  dataDir: string,
  provider: string,
  { dimensions, model }: Pick<Embedder, 'model' | 'dimensions'>,
): string {
  const name = model.replaceAll(/[^A-Za-z0-9]+/g, '-')
  const digest = createHash('sha256').update(`${provider} ${model}`).digest('hex').slice(0, 8)
  return join(dataDir, 'embeddings', `${name}-${dimensions}-${digest}.sqlite`)
}

function openStore(path: string, dimensions: number, isCommand: boolean): VectorStore {
  if (!isCommand) return sqliteVectorStore({ path, dimensions })
  return existsSync(path) ? sqliteVectorStore({ path, dimensions, readOnly: true }) : memoryVectorStore()
}
