// The settings of one model: provider, address, price and limits. A part of `config.ts`.
import Type from 'typebox'
import { EnvironmentName, PackageName, Positive, section, Whole } from './section.ts'

/** Each has a row in `wiring/models/vendors.ts`; the compiler reports a missing one. */
export const PROVIDERS = [
  'embedded',
  'bedrock',
  'openai',
  'openai-compatible',
  'anthropic',
  'google',
  'mistral',
  'ai-sdk',
] as const
export type Provider = (typeof PROVIDERS)[number]

export const Model = section({
  /**
   * `embedded` is the built-in responder, without account or network. `openai-compatible` is any server with the OpenAI
   * protocol, at its `baseURL`. `ai-sdk` is any vendor with a provider package of the AI SDK.
   */
  provider: Type.Enum(PROVIDERS),
  /** The vendor's id of the model. */
  id: Type.Optional(Type.String({ minLength: 1 })),
  /** USD per million tokens, input and output. Default: from data/models.yaml; a model that is not there needs it. */
  price: Type.Optional(Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2 })),
  /** Replaces the vendor's own address. */
  baseURL: Type.Optional(Type.String({ minLength: 1 })),
  /** The environment variable that holds the API key; the key itself never belongs in the configuration. */
  apiKeyEnv: Type.Optional(EnvironmentName),
  /** The AWS region of the Bedrock endpoint. Default: AWS_REGION, else ap-northeast-1. */
  region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
  /** The API of Bedrock; `invoke` uses Anthropic's message format. Default: converse. */
  api: Type.Optional(Type.Enum(['converse', 'invoke'])),
  /** The Bedrock guardrail to apply. */
  guardrail: Type.Optional(
    section({
      id: Type.String({ minLength: 1 }),
      version: Type.String({ pattern: '^(DRAFT|[0-9]+)$', description: 'DRAFT, or a number as a text' }),
    }),
  ),
  /** The npm package of an `ai-sdk` provider. */
  package: Type.Optional(PackageName),
  /** Names of models that are asked after this one, before the rest of the ladder. */
  fallbacks: Type.Optional(Type.Array(Type.String())),
  /** Replaces `deadlines.firstTokenMs` for this model. */
  firstTokenMs: Type.Optional(Positive),
  /** Replaces `deadlines.stallMs` for this model. */
  stallMs: Type.Optional(Positive),
  /** Replaces `deadlines.thinkingMs` for this model. */
  thinkingMs: Type.Optional(Positive),
  /** Replaces `tokens.thinkingTokensMax` for this model. */
  thinkingTokensMax: Type.Optional(Positive),
  /** Open connections to its endpoint, and therefore calls in flight. Default: 25. */
  connectionsMax: Type.Optional(Positive),
  /** In tokens. Default: from data/models.yaml. */
  contextWindow: Type.Optional(Positive),
  /** The most output tokens of one call. Default: from data/models.yaml. */
  maxOutput: Type.Optional(Positive),
  /** The speed of the embedded model; 0: no limit. Default: 150. */
  tokensPerSecond: Type.Optional(Whole),
})
