// Opens a model of each vendor. Only configured adapters are loaded, so that a shop with the built-in responder loads no vendor's
// library.
import { embeddedModel } from '#adapters/embedded/model.ts'
import { hostOf } from '#domain/model/vendor-fault.ts'
import { StartError } from '../start-error.ts'
import { apiKeyOf } from './model-keys.ts'
import { bedrockCredentialsOf } from './model-secrets.ts'
import type { BuiltInVendor, ModelSetup, RemoteVendor } from './vendor.ts'

/** Fast enough to finish within about a second, slow enough to be read as it arrives. */
const EMBEDDED_TOKENS_PER_SECOND = 150
const HOME_REGION = 'ap-northeast-1'
const OPENAI_URL = 'https://api.openai.com/v1'

export const openEmbedded: BuiltInVendor['open'] = (model, { clock }) =>
  embeddedModel({ clock, tokensPerSecond: model.tokensPerSecond ?? EMBEDDED_TOKENS_PER_SECOND })

export const openBedrock: RemoteVendor['open'] = async (setup) => {
  const { bedrockModel } = await import('#adapters/aws/bedrock/model.ts')
  const { model, env } = setup
  const credentials = bedrockCredentialsOf(model, env)
  return bedrockModel({
    ...commonParts(setup),
    api: model.api ?? 'converse',
    region: model.region ?? env.AWS_REGION ?? HOME_REGION,
    ...(model.baseURL === undefined ? {} : { baseURL: model.baseURL }),
    ...(model.guardrail === undefined ? {} : { guardrail: model.guardrail }),
    ...(credentials === undefined ? {} : { credentials }),
  })
}

export const openOpenAi =
  (outputLimitField: 'max_tokens' | 'max_completion_tokens'): RemoteVendor['open'] =>
  async (setup) => {
    const { openAiModel } = await import('#adapters/openai/model.ts')
    const apiKey = apiKeyOf(setup)
    return openAiModel({
      ...commonParts(setup),
      baseURL: setup.model.baseURL ?? OPENAI_URL,
      ...(apiKey === undefined ? {} : { apiKey }),
      outputLimitField,
    })
  }

export const openAiSdk: RemoteVendor['open'] = async (setup) => {
  const { aiSdkModel } = await import('#adapters/ai-sdk/model.ts')
  const { loadLanguageModel } = await import('#adapters/ai-sdk/client.ts')
  const { model, vendor, name, id } = setup
  const packageName = model.package ?? vendor.package
  // The check at start-up reports this with more detail.
  if (packageName === undefined) throw new StartError(`models.${name} names no package`)
  const apiKey = apiKeyOf(setup)
  const languageModel = await loadLanguageModel(packageName, id, {
    name,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(model.baseURL === undefined ? {} : { baseURL: model.baseURL }),
  })
  const host = hostOf(model.baseURL ?? '')
  return aiSdkModel({ ...commonParts(setup), languageModel, ...(host === undefined ? {} : { host }) })
}

function commonParts({ id, facts, clock, limits, onAnomaly, startSample }: ModelSetup) {
  return { id, facts, clock, limits, onAnomaly, startSample }
}
