// Opens the configured embedder. Only the configured adapter is loaded.
import type { Clock } from '#ports/clock/port.ts'
import type { Embedder } from '#ports/embedder/port.ts'
import { apiKeyOf } from '../models/model-keys.ts'
import { bedrockCredentialsOf } from '../models/model-secrets.ts'
import type { Environment } from '../models/model-secrets.ts'
import type { ModelConfig, RemoteVendor } from '../models/vendor.ts'
import { VENDORS } from '../models/vendors.ts'
import { StartError } from '../start-error.ts'
import { embedderFacts } from './embedder-book.ts'
import type { EmbedderBook, EmbedderConfig } from './embedder-book.ts'

const CONNECT_MS = 5000
const HOME_REGION = 'ap-northeast-1'
/** A connection for each call for documents, and some for questions. */
const QUESTION_CONNECTIONS = 16
export const CALLS_MAX = 4

/** The settings that an embedder shares with the models of its vendor. */
export function asModel(embedder: EmbedderConfig): { readonly model: ModelConfig; readonly vendor: RemoteVendor } {
  const { apiKeyEnv, baseURL, id, package: packageName, provider, region } = embedder
  const vendor = VENDORS[provider]
  if (vendor.kind !== 'remote') throw new StartError(`search.embedder.provider ${provider} has no vendor`)
  return {
    vendor,
    model: {
      provider,
      ...(id === undefined ? {} : { id }),
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
      ...(region === undefined ? {} : { region }),
      ...(packageName === undefined ? {} : { package: packageName }),
    },
  }
}

export async function openEmbedder(
  config: EmbedderConfig,
  { book, clock, env }: { readonly book: EmbedderBook; readonly clock: Clock; readonly env: Environment },
): Promise<Embedder> {
  const { baseURL, callsMax = CALLS_MAX, id, package: packageName, provider, region } = config
  const facts = embedderFacts(book, config)
  // The check at start-up reports these with more detail.
  if (id === undefined || facts === undefined) throw new StartError('search.embedder has no id, dimensions or price')
  const { dimensions } = facts
  const address = baseURL === undefined ? {} : { baseURL }
  const { model, vendor } = asModel(config)
  if (provider === 'bedrock') {
    const { bedrockEmbedder } = await import('#adapters/aws/bedrock/embedder.ts')
    const credentials = bedrockCredentialsOf(model, env)
    return bedrockEmbedder({
      id,
      dimensions,
      clock,
      region: region ?? env.AWS_REGION ?? HOME_REGION,
      ...address,
      ...(credentials === undefined ? {} : { credentials }),
      limits: { connectMs: CONNECT_MS, connectionsMax: callsMax + QUESTION_CONNECTIONS },
    })
  }
  if (packageName === undefined) throw new StartError('search.embedder names no package')
  const { aiSdkEmbedder } = await import('#adapters/ai-sdk/embedder.ts')
  const { loadEmbeddingModel } = await import('#adapters/ai-sdk/client.ts')
  const apiKey = apiKeyOf({ model, vendor, env })
  const settings = { name: 'embedder', ...address, ...(apiKey === undefined ? {} : { apiKey }) }
  const embeddingModel = await loadEmbeddingModel(packageName, id, settings)
  return aiSdkEmbedder({ id, dimensions, asksDimensions: config.dimensions !== undefined, embeddingModel, clock })
}
