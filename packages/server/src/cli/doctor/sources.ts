// The sources of the configuration, for `doctor`: the file, and the names of environment variables. Values are never
// shown, because they may be secrets.
import type { Config } from '#config/config.ts'
import { CONFIG_FILE, COOKIE_KEY_VARIABLE } from '#config/load-config.ts'
import type { ConfigSources } from '#config/load-config.ts'
import { asModel } from '#wiring/embedder/open-embedder.ts'
import { keyVariableOf } from '#wiring/models/model-keys.ts'
import { AWS_VARIABLES } from '#wiring/models/model-secrets.ts'
import { VENDORS } from '#wiring/models/vendors.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'

/** `config` is undefined when it has problems: then the variables of its secrets are unknown. */
export function describeSources(sources: ConfigSources, env: Terminal['env'], config?: Config): Finding[] {
  const { file, variables } = sources
  const secrets = config === undefined ? [] : secretsNamedIn(config).filter((name) => env[name])
  const names = [...new Set([...variables, ...[COOKIE_KEY_VARIABLE].filter((name) => env[name]), ...secrets])]
  const none = `no ${CONFIG_FILE}: every setting has its default, or is from the environment`
  return [
    { check: 'configuration file', ok: true, detail: file ?? none },
    { check: 'environment', ok: true, detail: names.length === 0 ? 'sets nothing' : names.join(', ') },
  ]
}

/** The variables of this configuration's secrets, set or not. */
export function secretsNamedIn({ auth, models, opensearch, search, store, stores }: Config): string[] {
  const embedder = search.embedder === undefined ? [] : [asModel(search.embedder).model]
  const keyed = [...Object.values(models), ...embedder].map((model) => ({ model, vendor: VENDORS[model.provider] }))
  const engineAuth = stores.search === 'opensearch' ? opensearch.auth : 'none'
  const isSigned = keyed.some(({ vendor }) => vendor.kind === 'remote' && vendor.credentials.kind === 'aws')
  const usesAws = isSigned || engineAuth === 'aws'
  const named = [
    ...keyed.map(keyVariableOf),
    ...auth.issuers.map(({ secretEnv }) => secretEnv),
    ...auth.admins.map(({ tokenEnv }) => tokenEnv),
    store.handover?.urlEnv,
    ...(engineAuth === 'basic' ? [opensearch.usernameEnv, opensearch.passwordEnv] : []),
  ]
  return [...named.filter((name) => name !== undefined), ...(usesAws ? AWS_VARIABLES : [])]
}
