// The configured models as the model port's. Only the adapters that are configured are loaded: a store that answers by
// itself pays for no vendor's library.
import { embeddedModel } from '#adapters/embedded/model.ts'
import type { Config } from '#config/config.ts'
import { CONNECTIONS_MAX } from '#domain/lane/lanes-of.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { VENDOR_PACKAGES } from '../checks/check-models.ts'
import type { ModelBook } from './model-facts.ts'
import { apiKeyOf, bedrockCredentialsOf } from './model-secrets.ts'
import type { Environment } from './model-secrets.ts'
import { StartError } from '../start-error.ts'

type ModelConfig = Config['models'][string]

/** Quick enough to be done within a second or so, slow enough to be read as it comes. */
const EMBEDDED_PACE = 150

export interface ModelWiring {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly env: Environment
  readonly readBook: () => Promise<ModelBook>
  /** By configured name; absent, or without an answer: nothing of that model is sampled. */
  readonly samplerOf?: (name: string) => StartSample | undefined
}

const HOME_REGION = 'ap-northeast-1'
const OPENAI_URL = 'https://api.openai.com/v1'
const CONNECT_MS = 5000

interface Made {
  readonly name: string
  readonly model: ModelConfig
  readonly id: string
  readonly facts: ModelFacts
  readonly limits: { connectMs: number; firstByteMs: number; stallMs: number; connectionsMax: number }
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample: StartSample | undefined
}

export async function wireModels(config: Config, parts: ModelWiring): Promise<ReadonlyMap<string, Model>> {
  const entries = Object.entries(config.models).map(
    async ([name, model]) => [name, await modelOf(config, parts, name, model)] as const,
  )
  return new Map(await Promise.all(entries))
}

async function modelOf(config: Config, parts: ModelWiring, name: string, model: ModelConfig): Promise<Model> {
  const { clock, telemetry } = parts
  if (model.provider === 'embedded')
    return embeddedModel({ clock, tokensPerSecond: model.tokensPerSecond ?? EMBEDDED_PACE })
  const facts = (await parts.readBook()).factsOf(model)
  // The check at start-up says this better; here it only keeps a price from being guessed.
  if (facts === undefined || model.id === undefined) throw new StartError(`models.${name} has no id or no price`)
  let undecodable = 0
  const made: Made = {
    name,
    model,
    id: model.id,
    facts,
    limits: {
      connectMs: CONNECT_MS,
      firstByteMs: model.firstTokenMs ?? config.deadlines.firstTokenMs,
      stallMs: model.stallMs ?? config.deadlines.stallMs,
      connectionsMax: model.connectionsMax ?? CONNECTIONS_MAX,
    },
    onAnomaly: (anomaly) => {
      if (anomaly === 'undecodable-event') undecodable += 1
      telemetry.count('model.anomaly', { model: name, anomaly })
    },
    startSample: parts.samplerOf?.(name),
  }
  return { ...(await vendorModel(parts, made)), undecodableEvents: () => undecodable }
}

function vendorModel(parts: ModelWiring, made: Made): Promise<Model> {
  const { provider } = made.model
  if (provider === 'bedrock') return overBedrock(parts, made)
  if (provider === 'openai' || provider === 'openai-compatible') return overOpenAi(parts, made)
  return overAiSdk(parts, made)
}

async function overBedrock({ clock, env }: ModelWiring, { model, ...made }: Made): Promise<Model> {
  const { bedrockModel } = await import('#adapters/aws/bedrock/model.ts')
  const credentials = bedrockCredentialsOf(model, env)
  return bedrockModel({
    ...made,
    clock,
    api: model.api ?? 'converse',
    region: model.region ?? env.AWS_REGION ?? HOME_REGION,
    ...(model.baseURL === undefined ? {} : { baseURL: model.baseURL }),
    ...(model.guardrail === undefined ? {} : { guardrail: model.guardrail }),
    ...(credentials === undefined ? {} : { credentials }),
  })
}

async function overOpenAi({ clock, env }: ModelWiring, { model, ...made }: Made): Promise<Model> {
  const { openAiModel } = await import('#adapters/openai/model.ts')
  const apiKey = apiKeyOf(model, env)
  return openAiModel({
    ...made,
    clock,
    baseURL: model.baseURL ?? OPENAI_URL,
    ...(apiKey === undefined ? {} : { apiKey }),
    outputLimitField: model.provider === 'openai' ? 'max_completion_tokens' : 'max_tokens',
  })
}

async function overAiSdk({ clock, env }: ModelWiring, { model, ...made }: Made): Promise<Model> {
  const { aiSdkModel } = await import('#adapters/ai-sdk/model.ts')
  const { loadLanguageModel } = await import('#adapters/ai-sdk/client.ts')
  const apiKey = apiKeyOf(model, env)
  const languageModel = await loadLanguageModel(model.package ?? VENDOR_PACKAGES[model.provider] ?? '', made.id, {
    name: made.name,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(model.baseURL === undefined ? {} : { baseURL: model.baseURL }),
  })
  return aiSdkModel({ ...made, clock, languageModel })
}
