// Checks of a configured model: an id without a price, a missing key, a package that is not installed, an invalid address. Each
// vendor lists its checks in `vendors.ts`.
import { existsSync } from 'node:fs'
import { isInstalled } from '#adapters/ai-sdk/client.ts'
import { installCommand } from '#config/installation.ts'
import { apiKeyOf, keyVariableOf, needsKey } from './model-keys.ts'
import { isLocal, mayHaveBedrockCredentials } from './model-secrets.ts'
import type { CheckedModel, ModelCheck } from './vendor.ts'

const AN_ADDRESS = 'an address such as http://127.0.0.1:11434/v1'

export const checkId: ModelCheck = ({ path, model: { id, provider } }) => {
  if (id !== undefined) return []
  const fix = `Add ${path}.id, as ${provider} names the model.`
  return [{ path: `${path}.id`, given: 'nothing', allowed: 'the vendor’s id of the model', fix }]
}

export const checkPrice: ModelCheck = ({ path, model, book }) => {
  if (book === undefined || model.id === undefined || book.factsOf(model) !== undefined) return []
  const meant = book.nearestTo(model.id)
  const hint = meant === undefined ? 'Add' : `Did you mean ${meant}? Else add`
  const fix = `${hint} ${path}.price: [input, output] in USD per million tokens; [0, 0] is free.`
  const given = `no price, and data/models.yaml does not know ${JSON.stringify(model.id)}`
  return [{ path: `${path}.price`, given, allowed: 'a price, or an id of data/models.yaml', fix }]
}

/** For a vendor without a default address. */
export const checkAddressGiven: ModelCheck = ({ path, model: { baseURL } }) => {
  if (baseURL !== undefined) return []
  const fix = `Add ${path}.baseURL: where the server listens.`
  return [{ path: `${path}.baseURL`, allowed: AN_ADDRESS, given: 'nothing', fix }]
}

export const checkAddress: ModelCheck = ({ path, model: { baseURL } }) => {
  if (baseURL === undefined) return []
  if (URL.canParse(baseURL) && /^https?:$/.test(new URL(baseURL).protocol)) return []
  const fix = 'Write it with http:// or https:// in front.'
  return [{ path: `${path}.baseURL`, allowed: AN_ADDRESS, given: JSON.stringify(baseURL), fix }]
}

/** Warns about a path that most servers with the OpenAI protocol do not have. */
export const checkAddressOfOpenAi: ModelCheck = (checked) => {
  const address = addressOf(checked)
  if (address === undefined || !(address.pathname === '/' || address.pathname.includes('/chat/completions'))) return []
  const { host, pathname, protocol } = address
  return [
    {
      path: `${checked.path}.baseURL`,
      isWarning: true,
      given: `an address whose path is ${pathname}`,
      allowed: 'the address before /chat/completions, which nearly always ends in /v1',
      fix: `Write ${protocol}//${host}/v1, unless the server really answers elsewhere.`,
    },
  ]
}

/** Warns about a key that is sent unencrypted. A password in the address is never shown. */
export const checkKeyIsPrivate: ModelCheck = (checked) => {
  const address = addressOf(checked)
  if (address?.protocol !== 'http:' || isLocal(checked.model.baseURL) || apiKeyOf(checked) === undefined) return []
  const given = `http:// to ${address.host}, with a key`
  const fix = 'Use https://: over http the key and every question can be read on the network.'
  const allowed = 'https, or http on this machine'
  return [{ path: `${checked.path}.baseURL`, isWarning: true, given, allowed, fix }]
}

export const checkPackage: ModelCheck = ({ path, model, vendor }) => {
  const name = model.package ?? vendor.package
  if (name === undefined) {
    const fix = `Add ${path}.package, such as '@ai-sdk/xai'.`
    return [{ path: `${path}.package`, given: 'nothing', allowed: 'the name of an AI SDK provider package', fix }]
  }
  if (isInstalled(name)) return []
  const setting = model.package === undefined ? 'provider' : 'package'
  const [given, fix] = [`${name}, which is not installed`, `Run: ${installCommand(name)}`]
  return [{ path: `${path}.${setting}`, given, allowed: 'an installed package', fix }]
}

export const checkKey: ModelCheck = (checked) => {
  if (!needsKey(checked) || apiKeyOf(checked) !== undefined) return []
  const path = `${checked.path}.apiKeyEnv`
  const variable = keyVariableOf(checked) ?? ''
  const fix = `Set ${variable} in the environment, or name another variable in ${path}.`
  return [{ path, given: `${variable}, which is not set`, allowed: 'a variable with the key', fix }]
}

export const checkAwsCredentials: ModelCheck = ({ path, model, env }) => {
  if (model.apiKeyEnv !== undefined && !env[model.apiKeyEnv]) {
    const fix = `Set ${model.apiKeyEnv} in the environment, or remove ${path}.apiKeyEnv.`
    const given = `${model.apiKeyEnv}, which is not set`
    return [{ path: `${path}.apiKeyEnv`, given, allowed: 'a variable with a Bedrock API key', fix }]
  }
  if (mayHaveBedrockCredentials(model, env, existsSync)) return []
  const allowed = 'AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role'
  const problem = { path: `${path}.provider`, allowed }
  // As the AWS SDK reads it: any value but `false` disables the metadata service.
  const disabled = env['AWS_EC2_METADATA_DISABLED'] || 'false'
  if (disabled !== 'false')
    return [{ ...problem, given: 'bedrock, without credentials for it', fix: 'Set one of them in the environment.' }]
  // An instance role cannot be detected here: the AWS SDK asks the metadata service for it at the first call.
  const given = 'bedrock, without credentials in the environment or in ~/.aws'
  const fix = 'Set one of them in the environment, unless this machine has an instance role.'
  return [{ ...problem, given, fix, isWarning: true }]
}

function addressOf({ model: { baseURL } }: CheckedModel): URL | undefined {
  return baseURL !== undefined && URL.canParse(baseURL) ? new URL(baseURL) : undefined
}
