// What OpenSearch needs before a server can use it, for `setup`, and what `doctor` finds there. Only where `stores.search` chooses it.
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Examined } from '#adapters/opensearch/setup/examine.ts'
import type { SetupStep, StoreSetup } from '#domain/setup-step.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import { readVectors } from '../bundled-data.ts'
import type { Environment } from '../models/model-secrets.ts'
import { openConfiguredOpenSearch, regionOf } from './open-search-engine.ts'

/** Changes nothing. */
export async function planOpenSearch(config: Config, env: Environment): Promise<readonly StoreSetup[]> {
  if (chosenStores(config).search !== 'opensearch') return []
  const { openSearchSteps } = await import('#adapters/opensearch/setup/steps.ts')
  const { fixOfFailure } = await import('#adapters/opensearch/setup/examine.ts')
  const { openSearchPolicies } = await import('#adapters/opensearch/setup/policies.ts')
  const { client, names } = await openConfiguredOpenSearch(config, { clock: systemClock(), env })
  const { auth, node = '', service } = config.opensearch
  const { dimensions } = await readVectors()
  let steps: readonly SetupStep[]
  try {
    steps = await openSearchSteps({ client, names, dimensions })
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    steps = [
      {
        what: `index template and search pipeline of ${names.alias}`,
        state: 'unknown',
        isOptional: true,
        detail: error.message,
        fix: fixOfFailure(error),
      },
    ]
  }
  const region = regionOf(config.opensearch, env)
  const policies = auth === 'aws' ? openSearchPolicies({ service, region, names }) : []
  return [{ store: `OpenSearch (${node})`, steps, policies }]
}

/** Asks a real one. Never rejects for what is wrong there. */
export async function examineSearch(config: Config, env: Environment): Promise<readonly Examined[]> {
  if (chosenStores(config).search !== 'opensearch') return []
  const { examineOpenSearch } = await import('#adapters/opensearch/setup/examine.ts')
  const { client, names } = await openConfiguredOpenSearch(config, { clock: systemClock(), env })
  try {
    return await examineOpenSearch({ client, names })
  } finally {
    client[Symbol.dispose]()
  }
}
