// What can be wrong with the configured models that a schema cannot say: ids without a price, keys that are not there,
// packages that are not installed, addresses that are none. Reported at start-up, with everything else, and with the fix.
import { existsSync } from 'node:fs'
import { isInstalled } from '#adapters/ai-sdk/client.ts'
import type { Config } from '#config/config.ts'
import { installCommand } from '#config/installation.ts'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import type { ModelBook } from '../models/model-facts.ts'
import { apiKeyOf, isLocal, keyVariableOf, mayHaveBedrockCredentials, needsKey } from '../models/model-secrets.ts'
import type { Environment } from '../models/model-secrets.ts'

type ModelConfig = Config['models'][string]

export interface CheckModelsParts {
  readonly env: Environment
  /** Read only when a configured model needs it. */
  readonly readBook: () => Promise<ModelBook>
}

export const VENDOR_PACKAGES: Readonly<Partial<Record<ModelConfig['provider'], string>>> = {
  anthropic: '@ai-sdk/anthropic',
  google: '@ai-sdk/google',
  mistral: '@ai-sdk/mistral',
}

/** Settings that mean something only to some; elsewhere they are a mistake that would go unnoticed. */
const ONLY_FOR: Readonly<Partial<Record<keyof ModelConfig, readonly ModelConfig['provider'][]>>> = {
  tokensPerSecond: ['embedded'],
  region: ['bedrock'],
  api: ['bedrock'],
  guardrail: ['bedrock'],
  package: ['ai-sdk'],
}

export function checkModels({ env, readBook }: CheckModelsParts): ConfigCheck {
  return async (config, isWrong) => {
    if (isWrong('models')) return []
    const models = Object.entries(config.models).filter(([name, model]) => isSound(name, model, isWrong))
    const vendors = models.filter(([, { provider }]) => provider !== 'embedded')
    const { book, problems } = vendors.length === 0 ? { problems: [] } : await opened(readBook)
    return [
      ...problems,
      ...models.flatMap(([name, model]) => misplaced(`models.${name}`, model)),
      ...vendors.flatMap(([name, model]) => [
        ...idProblems(`models.${name}`, model),
        ...(book === undefined ? [] : priceProblems(`models.${name}`, model, book)),
        ...addressProblems(`models.${name}`, model),
        ...addressDoubts(`models.${name}`, model, env),
        ...packageProblems(`models.${name}`, model),
        ...keyProblems(`models.${name}`, model, env),
      ]),
    ]
  }
}

/** A models file that cannot be read is one problem among others. */
async function opened(
  readBook: CheckModelsParts['readBook'],
): Promise<{ readonly book?: ModelBook; readonly problems: readonly ConfigProblem[] }> {
  try {
    return { book: await readBook(), problems: [] }
  } catch (error) {
    // A code explains an error; one without is a bug of ours, and its stack is needed.
    if (!(error instanceof Error && 'code' in error)) throw error
    const allowed = 'the list of models that comes with the program'
    const fix = 'Restore data/models.yaml, or install the program again.'
    return { problems: [{ path: 'data/models.yaml', given: `an error: ${error.message}`, allowed, fix }] }
  }
}

function isSound(name: string, model: ModelConfig, isWrong: (path: string) => boolean): boolean {
  const path = `models.${name}`
  return (
    !isWrong(path) && !Object.keys(model).some((field) => isWrong(`${path}.${field}`)) && !isWrong(`${path}.provider`)
  )
}

function misplaced(path: string, model: ModelConfig): ConfigProblem[] {
  return Object.entries(ONLY_FOR).flatMap(([field, providers]) => {
    if (model[field as keyof ModelConfig] === undefined || providers.includes(model.provider)) return []
    const allowed = `nothing here: only ${providers.join(' and ')} models have it`
    return [{ path: `${path}.${field}`, given: 'a value', allowed, fix: 'Remove it, or change the provider.' }]
  })
}

function idProblems(path: string, { id, provider }: ModelConfig): ConfigProblem[] {
  if (id !== undefined) return []
  const fix = `Add ${path}.id, as ${provider} names the model.`
  return [{ path: `${path}.id`, given: 'nothing', allowed: 'the vendor’s id of the model', fix }]
}

function priceProblems(path: string, model: ModelConfig, book: ModelBook): ConfigProblem[] {
  if (model.id === undefined || book.factsOf(model) !== undefined) return []
  const meant = book.nearestTo(model.id)
  const hint = meant === undefined ? '' : `Did you mean ${meant}? Else add`
  const fix = `${hint === '' ? 'Add' : hint} ${path}.price: [input, output] in USD per million tokens; [0, 0] is free.`
  const given = `no price, and data/models.yaml does not know ${JSON.stringify(model.id)}`
  return [{ path: `${path}.price`, given, allowed: 'a price, or an id of data/models.yaml', fix }]
}

function addressProblems(path: string, { baseURL, provider }: ModelConfig): ConfigProblem[] {
  const problem = { path: `${path}.baseURL`, allowed: 'an address such as http://127.0.0.1:11434/v1' }
  if (baseURL === undefined) {
    if (provider !== 'openai-compatible') return []
    return [{ ...problem, given: 'nothing', fix: `Add ${path}.baseURL: where the server listens.` }]
  }
  if (URL.canParse(baseURL) && /^https?:$/.test(new URL(baseURL).protocol)) return []
  return [{ ...problem, given: JSON.stringify(baseURL), fix: 'Write it with http:// or https:// in front.' }]
}

/** A path that most servers do not have, and a key that anyone on the way can read. Its password is never shown. */
function addressDoubts(path: string, model: ModelConfig, env: Environment): ConfigProblem[] {
  const { baseURL, provider } = model
  if (baseURL === undefined || !URL.canParse(baseURL)) return []
  const { host, pathname, protocol } = new URL(baseURL)
  const isOpenAi = provider === 'openai' || provider === 'openai-compatible'
  const doubt = { path: `${path}.baseURL`, isWarning: true } as const
  const doubts: ConfigProblem[] = []
  if (isOpenAi && (pathname === '/' || pathname.includes('/chat/completions'))) {
    doubts.push({
      ...doubt,
      given: `an address whose path is ${pathname}`,
      allowed: 'the address before /chat/completions, which nearly always ends in /v1',
      fix: `Write ${protocol}//${host}/v1, unless the server really answers elsewhere.`,
    })
  }
  if (protocol === 'http:' && !isLocal(baseURL) && apiKeyOf(model, env) !== undefined) {
    const given = `http:// to ${host}, with a key`
    const fix = 'Use https://: over http the key and every question can be read on the way.'
    doubts.push({ ...doubt, given, allowed: 'https, or http on this machine', fix })
  }
  return doubts
}

function packageProblems(path: string, model: ModelConfig): ConfigProblem[] {
  const name = model.package ?? VENDOR_PACKAGES[model.provider]
  if (name === undefined) {
    if (model.provider !== 'ai-sdk') return []
    const fix = `Add ${path}.package, such as '@ai-sdk/xai'.`
    return [{ path: `${path}.package`, given: 'nothing', allowed: 'the name of an AI SDK provider package', fix }]
  }
  if (isInstalled(name)) return []
  const given = `${name}, which is not installed`
  const fix = `Run: ${installCommand(name)}`
  return [
    {
      path: `${path}.${model.package === undefined ? 'provider' : 'package'}`,
      given,
      allowed: 'an installed package',
      fix,
    },
  ]
}

function keyProblems(path: string, model: ModelConfig, env: Environment): ConfigProblem[] {
  if (model.provider === 'bedrock') return bedrockProblems(path, model, env)
  if (!needsKey(model) || apiKeyOf(model, env) !== undefined) return []
  const variable = keyVariableOf(model) ?? ''
  const fix = `Set ${variable} in the environment, or name another variable in ${path}.apiKeyEnv.`
  return [
    { path: `${path}.apiKeyEnv`, given: `${variable}, which is not set`, allowed: 'a variable with the key', fix },
  ]
}

function bedrockProblems(path: string, model: ModelConfig, env: Environment): ConfigProblem[] {
  if (model.apiKeyEnv !== undefined && !env[model.apiKeyEnv]) {
    const fix = `Set ${model.apiKeyEnv} in the environment, or remove ${path}.apiKeyEnv.`
    const given = `${model.apiKeyEnv}, which is not set`
    return [{ path: `${path}.apiKeyEnv`, given, allowed: 'a variable with a Bedrock API key', fix }]
  }
  if (mayHaveBedrockCredentials(model, env, existsSync)) return []
  const allowed = 'AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role'
  const problem = { path: `${path}.provider`, allowed }
  // As the AWS SDK reads it: anything but `false` turns its last resort off.
  const disabled = env['AWS_EC2_METADATA_DISABLED'] || 'false'
  if (disabled !== 'false')
    return [{ ...problem, given: 'bedrock, without credentials for it', fix: 'Set one of them in the environment.' }]
  // The role of an instance leaves no trace here: the AWS SDK asks the metadata service for it at the first call.
  const given = 'bedrock, without credentials in the environment or in ~/.aws'
  const fix = 'Set one of them in the environment, unless this machine has an instance role.'
  return [{ ...problem, given, fix, isWarning: true }]
}
