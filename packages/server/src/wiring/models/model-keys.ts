// The environment variable with the key of a model, and whether a key is required.
import { isLocal } from './model-secrets.ts'
import type { Environment } from './model-secrets.ts'
import type { ModelConfig, Vendor } from './vendor.ts'

type Keyed = { readonly vendor: Vendor; readonly model: ModelConfig }

export function keyVariableOf({ vendor, model }: Keyed): string | undefined {
  const usual =
    vendor.kind === 'remote' && vendor.credentials.kind === 'key' ? vendor.credentials.variables[0] : undefined
  return model.apiKeyEnv ?? usual
}

export function apiKeyOf(of: Keyed & { readonly env: Environment }): string | undefined {
  const variable = keyVariableOf(of)
  return variable === undefined ? undefined : of.env[variable] || undefined
}

/** No key is needed for a server on this machine, or if neither the configuration nor the vendor names a variable. */
export function needsKey(of: Keyed): boolean {
  return keyVariableOf(of) !== undefined && (of.model.apiKeyEnv !== undefined || !isLocal(of.model.baseURL))
}
