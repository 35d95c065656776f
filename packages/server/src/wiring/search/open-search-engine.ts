// Opens the search of a node: over its own index, and where OpenSearch is configured with that in front. The client of OpenSearch is
// loaded on demand.
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { awsKeysIn } from '#adapters/aws/credentials.ts'
import type { OpenSearchAuth, OpenSearchClient } from '#adapters/opensearch/client/client.ts'
import type { EngineNames } from '#adapters/opensearch/search-engine/template.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'
import type { Search } from '#ports/search/port.ts'
import type { ShelfSource } from '#ports/search/shelf-source.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { createEngineSearch } from '#resilience/search/engine-search.ts'
import type { Environment } from '../models/model-secrets.ts'

export interface EngineWiring {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly env: Environment
  readonly products: Pick<ProductStore, 'page' | 'edition'>
  readonly vectors: WordVectors
  readonly embeddings?: Pick<Embeddings, 'ask'> | undefined
  /** The node's own index. */
  readonly own: Search & ShelfSource
  /** A command only reads, and waits longer for its one question. */
  readonly isCommand?: boolean
}

const COMMAND_CALL_MS = 5000

const HOME_REGION = 'ap-northeast-1'

type EngineConfig = Pick<Config, 'lanes' | 'opensearch' | 'state' | 'stores'>

/** Undefined when the node's own index is all there is. */
export async function openEngineSearch(
  config: EngineConfig,
  { env, isCommand = false, ...parts }: EngineWiring,
): Promise<(EngineSearch & Disposable) | undefined> {
  if (chosenStores(config).search !== 'opensearch') return undefined
  const { openSearchEngine } = await import('#adapters/opensearch/search-engine/search-engine.ts')
  const { clock, random, telemetry } = parts
  const callMs = isCommand ? COMMAND_CALL_MS : config.opensearch.callMs
  const { client, names } = await openConfiguredOpenSearch(config, { clock, env })
  const now = () => clock.now()
  const policy = dependencyPolicy(config, 'opensearch')
  const search = createEngineSearch({
    ...parts,
    engine: openSearchEngine({ client, names, callMs, clock, telemetry }),
    lane: new NodeLane({ name: 'opensearch', policy, now, float: () => random.float() }),
    callMs,
    isReader: isCommand,
  })
  const dispose = () => {
    search[Symbol.dispose]()
    client[Symbol.dispose]()
  }
  return { ...search, [Symbol.dispose]: dispose }
}

/** For `setup` and `doctor` too. The configuration has been checked: the address is set. */
export async function openConfiguredOpenSearch(
  { opensearch }: Pick<Config, 'opensearch'>,
  { clock, env }: { readonly clock: Clock; readonly env: Environment },
): Promise<{ readonly client: OpenSearchClient; readonly names: EngineNames }> {
  const { openSearchClient } = await import('#adapters/opensearch/client/client.ts')
  const { engineNames } = await import('#adapters/opensearch/search-engine/template.ts')
  const { connectMs, index, node = '' } = opensearch
  const client = openSearchClient({ node, auth: authOf(opensearch, env), connectMs, clock })
  return { client, names: engineNames(index) }
}

function authOf(opensearch: Config['opensearch'], env: Environment): OpenSearchAuth {
  const { auth: kind, passwordEnv, service, usernameEnv } = opensearch
  if (kind === 'none') return { kind }
  if (kind === 'basic') return { kind, username: env[usernameEnv] ?? '', password: env[passwordEnv] ?? '' }
  const keys = awsKeysIn(env)
  return { kind, service, region: regionOf(opensearch, env), ...(keys?.kind === 'keys' ? { credentials: keys } : {}) }
}

export const regionOf = ({ region }: { readonly region?: string | undefined }, env: Environment): string =>
  region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? HOME_REGION
