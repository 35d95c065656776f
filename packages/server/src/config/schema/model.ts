// The settings of one model: who answers, where, at what price and within which limits. A part of `config.ts`.
import Type from 'typebox'
import { EnvironmentName, Positive, section, Whole } from './section.ts'

/** What a new one lacks is named by the compiler: each has a row in `wiring/models/vendors.ts`. */
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
   * Who answers. `embedded` is the built-in responder: no account, no network. `openai-compatible` is any server of the
   * OpenAI wire, at its `baseURL`; `ai-sdk` any vendor with a provider package of the AI SDK.
   */
  provider: Type.Enum(PROVIDERS),
  /** The vendor's id of the model. */
  id: Type.Optional(Type.String({ minLength: 1 })),
  /** USD per million tokens, input and output. Default: what data/models.yaml says; a model that is not there needs it. */
  price: Type.Optional(Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2 })),
  /** In place of the vendor's own address. */
  baseURL: Type.Optional(Type.String({ minLength: 1 })),
  /** The variable of the environment that holds the key; a key itself is never configuration. */
  apiKeyEnv: Type.Optional(EnvironmentName),
  /** Of Bedrock. Default: AWS_REGION, else ap-northeast-1. */
  region: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as ap-northeast-1' })),
  /** Which API of Bedrock; `invoke` speaks Anthropic's message bodies. Default: converse. */
  api: Type.Optional(Type.Enum(['converse', 'invoke'])),
  /** A guardrail of Bedrock. */
  guardrail: Type.Optional(
    section({
      id: Type.String({ minLength: 1 }),
      version: Type.String({ pattern: '^(DRAFT|[0-9]+)$', description: 'DRAFT, or a number as a text' }),
    }),
  ),
  /** The npm package of an `ai-sdk` provider. */
  package: Type.Optional(
    Type.String({
      pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$',
      description: 'the name of an npm package, such as @ai-sdk/xai',
    }),
  ),
  /** Names of models that are asked after this one, before the rest of the ladder. */
  fallbacks: Type.Optional(Type.Array(Type.String())),
  /** Its own limits of silence, in place of `deadlines`. */
  firstTokenMs: Type.Optional(Positive),
  stallMs: Type.Optional(Positive),
  /** How long it may think before its first word, in place of `deadlines`, and how much, in place of `tokens`. */
  thinkingMs: Type.Optional(Positive),
  thinkingTokensMax: Type.Optional(Positive),
  /** Connections to its endpoint, kept open, and so calls in flight at once. Default: 25. */
  connectionsMax: Type.Optional(Positive),
  /** In tokens, in place of what data/models.yaml says. */
  contextWindow: Type.Optional(Positive),
  maxOutput: Type.Optional(Positive),
  /** The pace of the embedded model, by default 150; 0 is as fast as it can. */
  tokensPerSecond: Type.Optional(Whole),
})
