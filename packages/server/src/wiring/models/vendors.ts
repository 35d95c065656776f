// All vendors of models in one table: the settings that only some of them have, the variables of their keys, the checks at start-up,
// and how to open a model. The compiler reports what a new row lacks; docs/models.md has the table for operators.
import type { Provider } from '#config/schema/model.ts'
import { openAiSdk, openBedrock, openEmbedded, openOpenAi } from './open-vendor.ts'
import type { RemoteVendor, Vendor } from './vendor.ts'
import {
  checkAddress,
  checkAddressGiven,
  checkAddressOfOpenAi,
  checkAwsCredentials,
  checkId,
  checkKey,
  checkKeyIsPrivate,
  checkPackage,
  checkPrice,
} from './vendor-checks.ts'

export const VENDORS: Readonly<Record<Provider, Vendor>> = {
  embedded: { kind: 'built-in', settings: ['tokensPerSecond'], open: openEmbedded },
  anthropic: aiSdkVendor('@ai-sdk/anthropic', ['ANTHROPIC_API_KEY']),
  openai: {
    kind: 'remote',
    settings: [],
    credentials: { kind: 'key', variables: ['OPENAI_API_KEY'] },
    checks: [checkId, checkPrice, checkAddress, checkAddressOfOpenAi, checkKeyIsPrivate, checkKey],
    open: openOpenAi('max_completion_tokens'),
  },
  google: aiSdkVendor('@ai-sdk/google', ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY']),
  mistral: aiSdkVendor('@ai-sdk/mistral', ['MISTRAL_API_KEY']),
  bedrock: {
    kind: 'remote',
    settings: ['region', 'api', 'guardrail'],
    credentials: { kind: 'aws' },
    checks: [checkId, checkPrice, checkAddress, checkKeyIsPrivate, checkAwsCredentials],
    open: openBedrock,
  },
  'openai-compatible': {
    kind: 'remote',
    settings: [],
    credentials: { kind: 'key', variables: [] },
    checks: [checkId, checkPrice, checkAddressGiven, checkAddress, checkAddressOfOpenAi, checkKeyIsPrivate, checkKey],
    open: openOpenAi('max_tokens'),
  },
  'ai-sdk': { ...aiSdkVendor(undefined, []), settings: ['package'] },
}

/** Without `packageName` the setting `package` names the package. */
function aiSdkVendor(packageName: string | undefined, variables: readonly string[]): RemoteVendor {
  return {
    kind: 'remote',
    settings: [],
    credentials: { kind: 'key', variables },
    ...(packageName === undefined ? {} : { package: packageName }),
    checks: [checkId, checkPrice, checkAddress, checkKeyIsPrivate, checkPackage, checkKey],
    open: openAiSdk,
  }
}
