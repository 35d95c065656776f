// Search: the optional embedder, whose vectors replace the built-in comparison of words. A part of `config.ts`.
import Type from 'typebox'
import { EnvironmentName, PackageName, Positive, section } from './section.ts'

export const EMBEDDER_PROVIDERS = ['bedrock', 'ai-sdk'] as const

const Embedder = section({
  /** `bedrock`: Titan text embeddings and Cohere embed. `ai-sdk`: any vendor with a provider package of the AI SDK. */
  provider: Type.Enum(EMBEDDER_PROVIDERS),
  /** The vendor's id of the embedding model. */
  id: Type.Optional(Type.String({ minLength: 1 })),
  /** The length of its vectors. Default: from data/embedders.yaml; a model that is not there needs it. */
  dimensions: Type.Optional(Type.Integer({ minimum: 8, maximum: 4096 })),
  /** USD per million tokens. Default: from data/embedders.yaml; a model that is not there needs it. */
  price: Type.Optional(Type.Number({ minimum: 0 })),
  /** Replaces the vendor's own address. */
  baseURL: Type.Optional(Type.String({ minLength: 1 })),
  /** The environment variable that holds the API key; the key itself never belongs in the configuration. */
  apiKeyEnv: Type.Optional(EnvironmentName),
  /** The AWS region of the Bedrock endpoint. Default: AWS_REGION, else ap-northeast-1. */
  region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
  /** The npm package of an `ai-sdk` provider. */
  package: Type.Optional(PackageName),
  /** How long a search waits for the vector of its question before it compares words. Default: 150. */
  questionMs: Type.Optional(Positive),
  /** Calls in flight for the catalogue and the FAQ. Default: 4. */
  callsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
})

export const searchShapes = {
  search: section({
    /** Compares meanings by vectors of a vendor's model. Default: none; the built-in vectors of words need no vendor. */
    embedder: Type.Optional(Embedder),
  }),
}

export const searchDefaults = { search: {} }
